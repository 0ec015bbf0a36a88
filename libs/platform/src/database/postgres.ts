import { setTimeout as delay } from 'node:timers/promises';
import { type DataSource, type DataSourceOptions } from 'typeorm';
import { type ConnectionOptions, driverOptions } from './connection-options.js';
import { OrmStatements } from './observed-query.js';
import { type PoolSettings } from './raw-connection.js';

export interface PostgresOptions extends ConnectionOptions, PoolSettings {
  /** Read replicas, used on request only. */
  readonly replicaUrls?: readonly string[];
  readonly poolSize: number;
  readonly entities: NonNullable<DataSourceOptions['entities']>;
  readonly migrations: NonNullable<DataSourceOptions['migrations']>;
  /** Independent statements share one round trip. Rules out COPY. */
  readonly pipeline?: boolean;
}

/** TypeORM options for one service's own database; the schema comes from migrations alone. */
export function postgresOptions(options: PostgresOptions): DataSourceOptions {
  return {
    type: 'postgres',
    ...places(options),
    entities: options.entities,
    migrations: options.migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    // `gen_random_uuid()` needs no extension; the migrations install the extensions that are needed.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    logging: false,
    poolSize: options.poolSize,
    subscribers: [OrmStatements],
    extra: {
      ...driverOptions(options),
      pipeline: options.pipeline ?? false,
      prepareStatements: options.prepareStatements ?? false,
    },
  };
}

/** The ORM sends everything to the master unless a replica is requested. */
function places({ url, replicaUrls = [] }: PostgresOptions) {
  if (replicaUrls.length === 0) return { url };
  const slaves = replicaUrls.map((replica) => ({ url: replica }));
  return { replication: { master: { url }, slaves, defaultMode: 'master' as const } };
}

/** For jobs that may take long: also lifts the limits in the role's own settings. */
export const unboundedSession = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
} as const;

const migrationLock = 4_711_001;
const lockPollMs = 100;

/**
 * Applies the pending migrations and then `afterwards`, one replica at a time, and returns the names of both. The lock
 * is polled: a session that waits for it inside a SELECT would hold a snapshot, for which CREATE INDEX CONCURRENTLY
 * would wait for ever.
 */
export async function migrate(
  dataSource: DataSource,
  afterwards: () => Promise<string[]> = () => Promise.resolve([]),
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    while (!(await tryLock(runner.query.bind(runner)))) await delay(lockPollMs);
    try {
      const applied = await dataSource.runMigrations({ transaction: 'each' });
      return [...applied.map((migration) => migration.name), ...(await afterwards())];
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    }
  } finally {
    await runner.release();
  }
}

async function tryLock(query: (sql: string, parameters: unknown[]) => Promise<unknown>): Promise<boolean> {
  const rows = await query('SELECT pg_try_advisory_lock($1) AS locked', [migrationLock]);
  return (rows as { locked: boolean }[])[0]?.locked === true;
}
