import { mkdir } from 'node:fs/promises';
import { StartError } from '@app/platform';
import { chainHashOf, readArchive } from './archive-chain.js';
import { type ArchiveFacts, type Month, writeArchive } from './archive-files.js';
import { type ArchiveStore, type LotsByAccount } from './archive-store.js';

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
  const previous = (await store.recorded()).at(-1);
  const before: LotsByAccount = await store.carried();
  const facts = await store.copy(month, (lines) => writeArchive(directory, month, lines));
  const { facts: found, carried, problems } = await readArchive(directory, facts, before);
  if (problems.length > 0) {
    throw new StartError(`${month} was not archived: ${problems.slice(0, 3).join('; ')}. Run the audit.`);
  }
  if (found.sha256 !== facts.sha256 || found.entries !== facts.entries) {
    throw new StartError(
      `${month} was not archived: ${directory} does not give back what was written there.`,
    );
  }
  await store.record({ ...facts, chainHash: chainHashOf(previous?.chainHash ?? '', facts) }, carried);
  return facts;
}
