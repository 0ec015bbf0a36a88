import { type FileHandle } from 'node:fs/promises';
import { CreatorRecord, importChunkBytesMax, isRecord, readShape } from '#contracts';
import { DamagedFileError } from '../errors.js';
import { futureTimes } from './read-row.js';

const newline = 0x0a;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Passes NDJSON on unchanged, and copies the lines that are no records to `file`. The service reports them. Throws `DamagedFileError` for a line that is longer than a record may be.
 */
export async function* withRejectedCopied(
  source: AsyncIterable<Buffer>,
  file: FileHandle,
): AsyncGenerator<Buffer> {
  let number = 0;
  const copyRejected = async (lines: Buffer): Promise<Buffer> => {
    for (let start = 0; start < lines.length;) {
      const end = lines.indexOf(newline, start);
      const line = lines.subarray(start, end === -1 ? lines.length : end);
      number += 1;
      if (isRejected(line)) {
        await file.writeFile(line);
        await file.writeFile('\n');
      }
      start += line.length + 1;
    }
    return lines;
  };
  let rest = Buffer.alloc(0);
  for await (const bytes of source) {
    rest = Buffer.concat([rest, bytes]);
    const end = rest.lastIndexOf(newline) + 1;
    yield await copyRejected(rest.subarray(0, end));
    rest = rest.subarray(end);
    if (rest.length > importChunkBytesMax) {
      throw new DamagedFileError(`Line ${number + 1} is longer than 1 MiB.`);
    }
  }
  yield await copyRejected(rest);
}

/** Whether the service would reject the line for itself. Blank lines are neither records nor rejected. */
function isRejected(line: Buffer): boolean {
  try {
    const text = utf8.decode(line).trim();
    if (text === '') return false;
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return true;
    const { shape, details } = readShape(CreatorRecord, value, { strict: true });
    return details !== undefined || futureTimes(shape, new Date()).length > 0;
  } catch {
    return true;
  }
}
