import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Discrepancy } from '#contracts';
import { messageOf } from '#platform';
import { type Queryable } from '#platform/database';
import { type LedgerOptions } from '../ledger/rules/ledger-options.js';

/** What identifies the contents of an archive. */
export interface ArchiveFacts {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

const pathOf = (directory: string, name: string): string => join(directory, `${name}.csv.gz`);

/** Writes an archive. The file has its name only once it is complete and on the disk. */
export async function writeArchive(directory: string, name: string, lines: Readable): Promise<void> {
  const path = pathOf(directory, name);
  const file = createWriteStream(`${path}.partial`, { mode: 0o640, flush: true });
  await pipeline(lines, createGzip(), file);
  await rename(`${path}.partial`, path);
  // A name survives a power failure only once its directory is on the disk.
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

const recordedSql = `SELECT ${factsColumns} FROM ledger_archives ORDER BY ends, name`;

/** Reads every archive, where months are archived, and compares it with what the job has recorded. */
export async function archiveDiscrepancies(
  { query }: Queryable,
  { archiveDirectory: directory }: Pick<LedgerOptions, 'archiveDirectory'>,
  signal: AbortSignal,
): Promise<Discrepancy[]> {
  if (directory === '') return [];
  const found: Discrepancy[] = [];
  for (const recorded of await query<ArchiveFacts>('select archives', recordedSql)) {
    for (const problem of await problemsOf(recorded, directory, signal)) {
      const expected = `the archive ${recorded.name} with ${recorded.rows} rows`;
      const about = { account_id: null, lot_id: null, charge_id: null };
      found.push({ kind: 'archive_differs', ...about, expected, found: problem });
    }
  }
  return found;
}

async function problemsOf(recorded: ArchiveFacts, directory: string, signal: AbortSignal): Promise<string[]> {
  try {
    return differences(recorded, await readArchive(directory, recorded.name, signal));
  } catch (error) {
    signal.throwIfAborted();
    return [`can't be read: ${messageOf(error)}`];
  }
}
