import { postgresOptions, unboundedSession } from '@app/platform';
import { type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/** A message must be answered within its caller's 5 s; an import chunk sets longer limits itself. */
export const sessionSettings = {
  statement_timeout: '4500',
  lock_timeout: '4500',
  idle_in_transaction_session_timeout: '5000',
  timezone: 'UTC',
  jit: 'off',
} as const;

/**
 * A statement unanswered for this long closes its connection: the server hangs or the network is down. Longer than
 * every limit that the server itself enforces.
 */
const answerTimeoutMs = 12_000;
/** As above: an index whose reading never ends would never be brought up to date either. */
const indexAnswerTimeoutMs = 70_000;

interface CatalogDatabase {
  readonly url: string;
  readonly replicaUrls?: readonly string[];
  readonly poolSize: number;
  /** Default: none, for callers that only send SQL. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
}

/** The catalog database as every replica opens it. */
export function catalogDataSourceOptions({
  url,
  replicaUrls,
  poolSize,
  entities = [],
}: CatalogDatabase): DataSourceOptions {
  return postgresOptions({
    url,
    ...(replicaUrls ? { replicaUrls } : {}),
    poolSize,
    entities,
    migrations,
    applicationName: 'catalog',
    sessionSettings,
    answerTimeoutMs,
  });
}

/** The catalog database as opened for reading an index: one long transaction that no caller waits for. */
export function catalogIndexOptions(url: string): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 1,
    entities: [],
    migrations: [],
    applicationName: 'catalog-index',
    sessionSettings: {
      ...sessionSettings,
      statement_timeout: '60000',
      idle_in_transaction_session_timeout: '60000',
    },
    answerTimeoutMs: indexAnswerTimeoutMs,
  });
}

/** The catalog database as the migration job opens it: without a time limit, because building an index may take long. */
export function catalogMigrationOptions(url: string): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 2,
    entities: [],
    migrations,
    applicationName: 'catalog-migration',
    sessionSettings: unboundedSession,
  });
}
