import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** What identifies the contents of an archive. */
export interface ArchiveFacts {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the file, hex. */
  readonly sha256: string;
}

const pathOf = (directory: string, name: string): string => join(directory, `${name}.csv.gz`);

/** Writes an archive. Nothing stands under its name before it is complete and on the disk. */
export async function writeArchive(directory: string, name: string, lines: Readable): Promise<void> {
  const path = pathOf(directory, name);
  const file = await open(`${path}.partial`, 'w', 0o640);
  try {
    await pipeline(lines, createGzip(), async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) await file.appendFile(chunk);
    });
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.partial`, path);
  // A name stands after a power failure only once its directory is on the disk.
  const folder = await open(directory);
  await folder.sync().finally(() => folder.close());
}

/** Reads the whole archive: a line of names, and one for each row. */
export async function readArchive(
  directory: string,
  name: string,
  signal?: AbortSignal,
): Promise<ArchiveFacts> {
  const hash = createHash('sha256');
  let [bytes, lines] = [0, 0];
  await pipeline(
    createReadStream(pathOf(directory, name)),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createGunzip(),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) for (const byte of chunk) if (byte === newline) lines += 1;
    },
    { signal },
  );
  return { name, rows: lines - 1, bytes, sha256: hash.digest('hex') };
}

const newline = 0x0a;

/** What differs between a record and its archive; empty when they agree. */
export function differences(recorded: ArchiveFacts, found: ArchiveFacts): string[] {
  return (['rows', 'bytes', 'sha256'] as const)
    .filter((field) => recorded[field] !== found[field])
    .map((field) => `${field} of the file: ${found[field]}, on record: ${recorded[field]}`);
}

/** For a statement that reads the records. */
export const factsColumns = 'name, rows::float8 AS rows, bytes::float8 AS bytes, sha256';
