import { createLogger, loadConfig, runToEnd, StartError } from '#platform';
import { connectDatabase, TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { archiveMonths } from './archives/archive-months.js';
import { ArchiveStore } from './archives/archive-store.js';
import { billingArchiveSpecs } from './config/billing-config.js';
import { billingArchiveOptions } from './database/data-source.js';

const archiveLock = 4_711_003;

/** The archive job: like a migration job, it runs as the owner of the tables, because billing itself can't remove entries. */
runToEnd(async () => {
  // Billing may be another user, who reads the files as a member of the group.
  process.umask(0o027);
  const config = loadConfig(billingArchiveSpecs, process.env);
  const dataSource = new DataSource(billingArchiveOptions(config.BILLING_DATABASE_URL));
  await connectDatabase(
    dataSource,
    createLogger({ service: 'billing-archive', level: 'warn', pretty: false }),
  );
  try {
    await archiveAlone(new TransactionRunner(dataSource), config);
  } finally {
    await dataSource.destroy();
  }
});

interface ArchiveConfig {
  readonly LEDGER_ARCHIVE_DIRECTORY: string;
  readonly LEDGER_ONLINE_MONTHS: number;
}

/** The lock belongs to a transaction that is idle meanwhile. */
async function archiveAlone(database: TransactionRunner, config: ArchiveConfig): Promise<void> {
  const job = { directory: config.LEDGER_ARCHIVE_DIRECTORY, onlineMonths: config.LEDGER_ONLINE_MONTHS };
  const written = await database.runAlone(archiveLock, () => archiveMonths(new ArchiveStore(database), job), {
    idleTimeoutMs: 0,
  });
  if (written === null) throw new StartError('Another archive job is running.');
  const lines = written.map(({ month, entries, bytes }) => `${month}: ${entries} entries, ${bytes} bytes`);
  process.stdout.write(`${lines.length === 0 ? 'No month is due.' : lines.join('\n')}\n`);
}
