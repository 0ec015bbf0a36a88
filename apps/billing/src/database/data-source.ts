import { type PostgresOptions, postgresOptions, unboundedSession } from '#platform/database';
import { type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/**
 * Time-outs of every session, so that a hanging replica can't block the others for longer: 1 s for a lock, 2 s idle in
 * a transaction (a paused process), 4 s for a statement (the caller waits 5 s).
 */
export const sessionSettings = {
  lock_timeout: '1000',
  idle_in_transaction_session_timeout: '2000',
  statement_timeout: '4000',
  timezone: 'UTC',
  jit: 'off',
} as const;

/** `prepareStatements` must be false behind a transaction-mode pooler without support for prepared statements. */
type BillingDatabase = Pick<PostgresOptions, 'url' | 'poolSize' | 'entities' | 'prepareStatements'>;

const replicaOptions = {
  sessionSettings,
  prepareStatements: true,
  /** The server hangs or the network is down. */
  answerTimeoutMs: 6_000,
} as const;

/**
 * The billing database as every replica opens it. `pipeline`: statements that do not depend on each other's results
 * share one round trip; the ledger's transactions rely on it for their speed.
 */
export function billingDataSourceOptions(database: BillingDatabase): DataSourceOptions {
  return postgresOptions({
    ...replicaOptions,
    ...database,
    migrations,
    applicationName: 'billing',
    pipeline: true,
  });
}

/** The name under which Nest injects the connections for operators' reports. */
export const reportsPool = 'reports';

/**
 * The billing database for operators' reports: a few read-only connections, separate from those of charges. A report
 * waits up to 2 s for one and then fails as `unavailable`; no charge ever waits for a report.
 */
export function billingReportsOptions(database: Omit<BillingDatabase, 'poolSize'>): DataSourceOptions {
  return postgresOptions({
    ...replicaOptions,
    ...database,
    poolSize: 4,
    applicationName: 'billing-reports',
    sessionSettings: { ...sessionSettings, default_transaction_read_only: 'on' },
  });
}

const jobOptions = { poolSize: 2, migrations, sessionSettings: unboundedSession };

/** The billing database as the migration job opens it: without a time limit, because building an index may take long. */
export function billingMigrationOptions(url: string): DataSourceOptions {
  return postgresOptions({ ...jobOptions, url, applicationName: 'billing-migration' });
}

/** The billing database as the archive job opens it: reading a month may take long, but no call waits for a lock behind it. */
export function billingArchiveOptions(url: string): DataSourceOptions {
  return postgresOptions({
    ...jobOptions,
    url,
    applicationName: 'billing-archive',
    sessionSettings: { ...unboundedSession, lock_timeout: '500' },
  });
}
