import { CliError } from '../errors.js';
import { peek, unzipped } from '../import/file-format.js';
import { type Item } from './item.js';

const newline = 0x0a;
/** The largest items have a few megabytes. */
const lineBytesMax = 64 * 1024 * 1024;

/**
 * The property of follower counts. Only lines that contain it are parsed, which are few: that is what makes the reading fast.
 * Node.js finds a short text several times as fast as one of 8 bytes or more.
 */
const marker = Buffer.from('P8687');

/** A dump is one JSON array, whose brackets have lines of their own, with an item on each line; plain or gzip. */
export class Dump {
  /** Items so far, with and without follower counts. */
  items = 0;

  /** The items with follower counts; holds only a few pieces of the dump. */
  async *countedItems(source: AsyncIterable<Buffer>): AsyncGenerator<Item> {
    const { start, whole } = await peek((await unzipped(source)).bytes);
    if (start.toString('latin1', 0, 1) !== '[') {
      throw new CliError(
        'This is not a JSON dump of Wikidata, plain or gzip. Pipe others: lbzip2 -dc DUMP | ... import-wikidata -',
      );
    }
    let begun: Buffer[] = [];
    let begunBytes = 0;
    let end = Buffer.alloc(0);
    for await (const piece of whole) {
      end = Buffer.concat([end, piece.subarray(-8)]).subarray(-8);
      const firstEnd = piece.indexOf(newline) + 1;
      const lastEnd = piece.lastIndexOf(newline) + 1;
      if (lastEnd === 0) {
        begun.push(piece);
        begunBytes += piece.length;
        if (begunBytes > lineBytesMax) {
          throw new CliError('This is not a JSON dump of Wikidata: its lines are too long.');
        }
        continue;
      }
      // Only the line that lies in several pieces is copied.
      yield* this.search(Buffer.concat([...begun, piece.subarray(0, firstEnd)]));
      yield* this.search(piece.subarray(firstEnd, lastEnd));
      begun = [piece.subarray(lastEnd)];
      begunBytes = piece.length - lastEnd;
    }
    if (!/\n\]\s*$/.test(end.toString('latin1'))) throw damaged('its end is missing');
  }

  /** `lines` are whole, each with its end. */
  private *search(lines: Buffer): Generator<Item> {
    for (let start = 0; start < lines.length; start = lines.indexOf(newline, start) + 1) {
      if (lines[start] === 0x7b) this.items += 1;
    }
    for (let at = lines.indexOf(marker); at !== -1;) {
      const end = lines.indexOf(newline, at);
      const item = parseItem(lines.toString('utf8', lines.lastIndexOf(newline, at) + 1, end));
      if (item.type === 'item' && item.claims?.P8687) yield item;
      at = lines.indexOf(marker, end);
    }
  }
}

/** A line of the dump: an item and, except at the end, a comma. */
function parseItem(line: string): Item {
  try {
    return JSON.parse(line.replace(/,?\s*$/, '')) as Item;
  } catch {
    throw damaged(`a line that begins ${line.slice(0, 40)} is not JSON`);
  }
}

function damaged(why: string): CliError {
  return new CliError(`The dump is damaged or incomplete: ${why}. Download it again.`);
}
