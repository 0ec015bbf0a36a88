import { postgresOptions, unboundedSession } from '#platform/database';
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

interface BillingDatabase {
  readonly url: string;
  readonly poolSize: number;
  /** Default: true. Must be false behind a transaction-mode pooler without support for prepared statements. */
  readonly prepareStatements?: boolean;
  /** Default: none, for callers that only send SQL. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
}

/** A statement unanswered for this long closes its connection: the server hangs or the network is down. */
const answerTimeoutMs = 6_000;

/**
 * The billing database as every replica opens it. `pipeline`: statements that do not depend on each other's results
 * share one round trip; the ledger's transactions rely on it for their speed.
 */
export function billingDataSourceOptions({
  url,
  poolSize,
  prepareStatements = true,
  entities = [],
}: BillingDatabase): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize,
    entities,
    migrations,
    applicationName: 'billing',
    sessionSettings,
    prepareStatements,
    pipeline: true,
    answerTimeoutMs,
  });
}

/** The name under which Nest injects the connections for operators' reports. */
export const reportsPool = 'reports';
const reportsPoolSize = 4;

/**
 * The billing database for operators' reports: a few read-only connections, separate from those of charges. A report
 * waits up to 2 s for one and then fails as `unavailable`; no charge ever waits for a report.
 */
export function billingReportsOptions({
  url,
  prepareStatements = true,
  entities = [],
}: Omit<BillingDatabase, 'poolSize'>): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: reportsPoolSize,
    entities,
    migrations: [],
    prepareStatements,
    applicationName: 'billing-reports',
    sessionSettings: { ...sessionSettings, default_transaction_read_only: 'on' },
    answerTimeoutMs,
  });
}

/** The billing database as the migration job opens it: without a time limit, because building an index may take long. */
export function billingMigrationOptions(url: string): DataSourceOptions {
  return jobOptions(url, 'billing-migration', unboundedSession);
}

/** The billing database as the archive job opens it: reading a month may take long, but no call waits for a lock behind it. */
export function billingArchiveOptions(url: string): DataSourceOptions {
  return jobOptions(url, 'billing-archive', { ...unboundedSession, lock_timeout: '500' });
}

function jobOptions(
  url: string,
  applicationName: string,
  settings: Readonly<Record<string, string>>,
): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 2,
    entities: [],
    migrations,
    applicationName,
    sessionSettings: settings,
  });
}
