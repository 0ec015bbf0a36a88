import { postgresOptions, unboundedSession } from '@app/platform';
import { type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/**
 * Bounds of every session, so that a replica that hangs never holds the others up for longer: 1 s for a lock, 2 s within
 * a transaction without a word (a paused process), 4 s for a statement (the caller waits 5 s).
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
  /** Default: true. Not behind a pooler that lends connections for a transaction and knows nothing of prepared statements. */
  readonly prepareStatements?: boolean;
  /** Default: none, for whoever sends SQL alone. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
}

/** A statement without an answer for this long ends its connection: the server hangs or the network is gone. */
const answerTimeoutMs = 6_000;

/**
 * The billing database as every replica opens it. `pipeline`: statements that do not wait for each other's answers share
 * one round trip, which the ledger's transactions rely on for their speed.
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

/** Under this name Nest injects the connections for what only operators read. */
export const reportsPool = 'reports';
const reportsPoolSize = 4;

/**
 * The billing database for what only operators read: few connections, which can't write, beside those of the charges. Who
 * asks for more than they give waits 2 s for one and is told `unavailable` then; no charge waits for any of it.
 */
export function billingReportsOptions(
  url: string,
  entities: BillingDatabase['entities'] = [],
): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: reportsPoolSize,
    entities,
    migrations: [],
    applicationName: 'billing-reports',
    sessionSettings: { ...sessionSettings, default_transaction_read_only: 'on' },
    answerTimeoutMs,
  });
}

/** The billing database as the migration job opens it: building an index may take as long as it takes. */
export function billingMigrationOptions(url: string): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 2,
    entities: [],
    migrations,
    applicationName: 'billing-migration',
    sessionSettings: unboundedSession,
  });
}
