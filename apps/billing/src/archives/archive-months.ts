import { mkdir } from 'node:fs/promises';
import { StartError } from '#platform';
import { chainHashOf, differences, readArchive } from './archive-chain.js';
import { type ArchiveFacts, type Month, writeArchive } from './archive-files.js';
import { type LotsByAccount } from './archive-records.js';
import { type ArchiveStore } from './archive-store.js';

/** What a job is to do. */
export interface ArchiveJob {
  readonly directory: string;
  /** Whole months before the present one that stay in the database. */
  readonly onlineMonths: number;
}

/**
 * Archives the months that are due, oldest first, and returns what it has written. Each is written, read again and checked before
 * it is recorded, and leaves the database only after that: whenever the job dies, the next one goes on from there. Throws
 * `StartError` for a month whose entries break a rule of the ledger: the audit says more.
 */
export async function archiveMonths(store: ArchiveStore, job: ArchiveJob): Promise<ArchiveFacts[]> {
  await mkdir(job.directory, { recursive: true });
  const written: ArchiveFacts[] = [];
  await store.dropArchived();
  for (const month of await store.due(job.onlineMonths)) {
    written.push(await archiveMonth(store, job.directory, month));
    await store.dropArchived();
  }
  return written;
}

async function archiveMonth(store: ArchiveStore, directory: string, month: Month): Promise<ArchiveFacts> {
  const previous = (await store.recorded()).at(-1)?.chainHash ?? '';
  const before: LotsByAccount = await store.carried();
  const facts = await store.copy(month, (lines) => writeArchive(directory, month, lines));
  const record = { ...facts, chainHash: chainHashOf(previous, facts) };
  const { facts: found, carried, problems } = await readArchive(directory, facts, before);
  const wrong = [...problems.map(({ problem }) => problem), ...differences(record, found, previous)];
  if (wrong.length > 0) {
    throw new StartError(`${month} was not archived: ${wrong.slice(0, 3).join('; ')}. Run the audit.`);
  }
  await store.record(record, carried);
  return facts;
}
