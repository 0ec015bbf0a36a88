import { createLogger, loadConfig, runToEnd, StartError } from '#platform';
import { connectDatabase, TransactionRunner } from '#platform/database';
import { DataSource } from 'typeorm';
import { advisoryLocks } from './database/advisory-locks.js';
import { archiveMonths } from './archives/archive-months.js';
import { billingArchiveSpecs } from './config/billing-config.js';
import { billingArchiveOptions } from './database/data-source.js';

/** The archive job: like a migration job, it runs as the owner of the tables, because billing itself can't remove entries. */
runToEnd(async () => {
  // Billing may be another user, who reads the files as a member of the group.
  process.umask(0o027);
  const { BILLING_DATABASE_URL, LEDGER_ARCHIVE_DIRECTORY, LEDGER_ONLINE_MONTHS } = loadConfig(
    billingArchiveSpecs,
    process.env,
  );
  const dataSource = new DataSource(billingArchiveOptions(BILLING_DATABASE_URL));
  await connectDatabase(
    dataSource,
    createLogger({ service: 'billing-archive', level: 'warn', pretty: false }),
  );
  try {
    const database = new TransactionRunner(dataSource);
    const job = { archiveDirectory: LEDGER_ARCHIVE_DIRECTORY, onlineMonths: LEDGER_ONLINE_MONTHS };
    // The lock belongs to a transaction that is idle meanwhile.
    const written = await database.runAlone(advisoryLocks.archiveJob, () => archiveMonths(database, job), {
      idleTimeoutMs: 0,
    });
    if (written === null) throw new StartError('Another archive job is running.');
    const lines = written.map(({ name, rows, bytes }) => `${name}: ${rows} rows, ${bytes} bytes`);
    process.stdout.write(`${lines.length === 0 ? 'No month is due.' : lines.join('\n')}\n`);
  } finally {
    await dataSource.destroy();
  }
});
