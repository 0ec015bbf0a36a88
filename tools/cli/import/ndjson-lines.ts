import { CreatorRecord, importChunkBytesMax, isRecord, readShape } from '#contracts';
import { futureTimes } from './read-row.js';
import { type RejectedFile } from './rejected-lines.js';

const newline = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Passes NDJSON on unchanged, and copies the lines that are no records to `file`, with `hasOneLineEach` also those with the
 * slug of an earlier one. The service reports them.
 */
export async function* withRejectedCopied(
  source: AsyncIterable<Buffer>,
  file: RejectedFile,
  hasOneLineEach: boolean,
): AsyncGenerator<Buffer> {
  const line = new NdjsonLine(file, hasOneLineEach);
  for await (const bytes of source) {
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      await line.end(bytes.subarray(start, end));
      start = end + 1;
    }
    await line.add(bytes.subarray(start));
    yield bytes;
  }
  await line.end(Buffer.alloc(0));
}

/** The line that is being read: at most 1 MiB of it is kept, which is all that a record may have. */
class NdjsonLine {
  private pieces: Buffer[] = [];
  private length = 0;
  private number = 0;

  constructor(
    private readonly file: RejectedFile,
    private readonly hasOneLineEach: boolean,
  ) {}

  async add(piece: Buffer): Promise<void> {
    this.pieces.push(piece);
    this.length += piece.length;
    if (this.isTooLong) await this.copy();
  }

  async end(piece: Buffer): Promise<void> {
    await this.add(piece);
    this.number += 1;
    if (this.isTooLong || this.isRejected(Buffer.concat(this.pieces))) {
      await this.copy();
      await this.file.write('\n');
    }
    this.pieces = [];
    this.length = 0;
  }

  private get isTooLong(): boolean {
    return this.length >= importChunkBytesMax;
  }

  /** Blank lines are neither records nor rejected. */
  private isRejected(line: Buffer): boolean {
    const record = recordOf(line);
    if (record === undefined) return false;
    if (record === null) return true;
    return this.hasOneLineEach && this.file.duplicate(record.slug, this.number) !== null;
  }

  private async copy(): Promise<void> {
    for (const piece of this.pieces) await this.file.write(piece);
    this.pieces = [];
  }
}

/** `null` when the service would reject the line for itself; `undefined` when it is blank. */
function recordOf(line: Buffer): CreatorRecord | null | undefined {
  try {
    const text = utf8.decode(line).trim();
    if (text === '') return undefined;
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return null;
    const { shape, details } = readShape(CreatorRecord, value, { strict: true });
    return details === undefined && futureTimes(shape, new Date()).length === 0 ? shape : null;
  } catch {
    return null;
  }
}
