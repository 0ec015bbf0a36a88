import { performance } from 'node:perf_hooks';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { archiveMonths } from '../../apps/billing/src/archives/archive-months.js';
import { ArchiveStore } from '../../apps/billing/src/archives/archive-store.js';
import { billingArchiveOptions } from '../../apps/billing/src/database/data-source.js';

/** Archives all but so many whole months of a ledger, as the job does. */
export async function archiveOldest(
  url: string,
  directory: string,
  onlineMonths: number,
): Promise<Record<string, number | string>[]> {
  const dataSource = await new DataSource(billingArchiveOptions(url)).initialize();
  try {
    const store = new ArchiveStore(new TransactionRunner(dataSource));
    const began = performance.now();
    const archived = await archiveMonths(store, { directory, onlineMonths });
    const seconds = (performance.now() - began) / 1_000;
    return archived.map(({ month, entries, bytes }) => ({
      month,
      entries,
      'bytes an entry': (bytes / entries).toFixed(1),
      'entries/s': Math.round(archived.reduce((sum, of) => sum + of.entries, 0) / seconds),
    }));
  } finally {
    await dataSource.destroy();
  }
}
