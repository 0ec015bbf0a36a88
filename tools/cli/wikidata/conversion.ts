import { type CreatorRecord } from '#contracts';
import { CliError } from '../errors.js';
import { decompressed, MarkedLines } from './dump.js';
import { type Item } from './item.js';
import { type Reason, reasons, toRecord } from './record.js';
import { type Tables } from './tables.js';

/**
 * The property of follower counts. Only lines that contain it are parsed, which are few: that is what makes
 * the reading fast. Node.js finds a short text several times as fast as one of 8 bytes or more.
 */
const marker = Buffer.from('P8687');

export interface ConversionReport {
  readonly items: number;
  readonly taken: number;
  readonly leftOut: Readonly<Record<Reason, number>>;
}

/** Turns a dump into creators, one at a time, and counts what was left out and why. */
export class Conversion {
  private readonly lines = new MarkedLines(marker);
  private readonly leftOut = Object.fromEntries(reasons.map((reason) => [reason, 0])) as Record<
    Reason,
    number
  >;
  private taken = 0;

  constructor(
    private readonly tables: Tables,
    /** No follower count is later than this day. */
    private readonly today: string,
  ) {}

  async *records(dump: AsyncIterable<Buffer>): AsyncGenerator<CreatorRecord> {
    for await (const line of this.lines.of(decompressed(dump))) {
      const item = parseItem(line);
      if (item.type !== 'item' || !item.claims?.P8687) continue;
      const record = toRecord(item, this.tables, this.today);
      if (typeof record === 'string') {
        this.leftOut[record] += 1;
      } else {
        this.taken += 1;
        yield record;
      }
    }
  }

  get report(): ConversionReport {
    return { items: this.lines.items, taken: this.taken, leftOut: this.leftOut };
  }
}

/** A line of the dump: an item and, except at the end, a comma. */
function parseItem(line: string): Item {
  try {
    return JSON.parse(line.replace(/,?\s*$/, '')) as Item;
  } catch {
    throw new CliError(
      `The dump is damaged or incomplete: a line that begins ${line.slice(0, 40)} is not JSON.`,
    );
  }
}
