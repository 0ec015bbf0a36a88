import { type DataSourceOptions, type ValueTransformer } from 'typeorm';
import { type ConnectionOptions, driverOptions } from './connection-options.js';
import { OrmStatements } from './observed-query.js';
import { type PoolSettings } from './raw-connection.js';

export interface PostgresOptions extends ConnectionOptions, PoolSettings {
  readonly poolSize: number;
  /** Default: none, for callers that only send SQL. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
  /** Default: none, for a pool besides the one that waits for them. */
  readonly migrations?: NonNullable<DataSourceOptions['migrations']>;
  /** Independent statements share one round trip. Rules out COPY. */
  readonly pipeline?: boolean;
}

/** TypeORM options for one service's own database; only migrations create the schema. */
export function postgresOptions(options: PostgresOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url: options.url,
    entities: options.entities ?? [],
    migrations: options.migrations ?? [],
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

/** For jobs that may take long: also lifts the limits in the role's own settings. */
export const unboundedSession = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
} as const;

/**
 * Converts a PostgreSQL bigint, which the driver returns as a string, to a number. Throws when a number can't hold it
 * exactly.
 */
export const safeInteger: ValueTransformer = {
  to: (value: unknown) => value,
  from(text: string | null) {
    if (text === null) return null;
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is not a safe integer`);
    return value;
  },
};
