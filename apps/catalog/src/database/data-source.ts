import { postgresOptions, unboundedSession } from '@app/platform';
import { type DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';

/** A message must be answered within its caller's 5 s; a chunk of an import sets longer limits of its own. */
export const sessionSettings = {
  statement_timeout: '4500',
  lock_timeout: '4500',
  idle_in_transaction_session_timeout: '5000',
  timezone: 'UTC',
  jit: 'off',
} as const;

/**
 * A statement without an answer for this long ends its connection: the server hangs or the network is gone. Above every
 * limit that the server itself observes.
 */
const answerTimeoutMs = 12_000;
/** As above: an index whose reading never ends would never be brought up to date either. */
const indexAnswerTimeoutMs = 70_000;

interface CatalogDatabase {
  readonly url: string;
  readonly replicaUrls?: readonly string[];
  readonly poolSize: number;
  /** Default: none, for whoever sends SQL alone. */
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

/** The catalog database as an index is read from it: one long transaction, in which nothing waits for a person. */
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

/** The catalog database as the migration job opens it: building an index may take as long as it takes. */
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
