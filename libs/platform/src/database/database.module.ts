import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule, getDataSourceToken } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { HealthChecks } from '../health-checks.js';
import { type Logger } from '../logger.js';
import { series } from '../metrics.js';
import { CONFIG, LOGGER } from '../platform.module.js';
import {
  checkDatabase,
  checkWrites,
  connectDatabase,
  refuseOtherDatabase,
  waitForMigrations,
} from './check-database.js';
import { refuseOwner } from './check-role.js';
import { poolCounts } from './raw-connection.js';
import { TransactionRunner, getTransactionRunnerToken } from './transaction-runner.js';

interface DatabaseModuleOptions<Config> {
  /** The options of the connections, from the configuration of the service. */
  readonly useFactory: (config: Config) => DataSourceOptions;
}

interface FurtherPoolOptions<Config> extends DatabaseModuleOptions<Config> {
  /** The name under which Nest injects it. */
  readonly name: string;
}

interface Opening {
  readonly logger: Logger;
  readonly health: HealthChecks;
}

/**
 * TypeORM's module with what every service needs of its database: it waits for the database and its migrations, refuses
 * the rights of the owner where the service has a role of its own, and provides a health check and metrics of the pool. An injected `DataSource`, `Repository` or `TransactionRunner` is
 * ready for use.
 */
@Module({})
export class DatabaseModule {
  static forRootAsync<Config>({ useFactory }: DatabaseModuleOptions<Config>): DynamicModule {
    return open('main', { useFactory }, async (dataSource, { logger, health }) => {
      health.ready.database = () => checkDatabase(dataSource);
      await connectDatabase(dataSource, logger);
      await refuseOtherDatabase(dataSource);
      await waitForMigrations(dataSource, logger);
      await refuseOwner(dataSource, logger);
      health.ready.database_writes = checkWrites(new TransactionRunner(dataSource));
    });
  }

  /**
   * Another pool of connections to the same database, for work that must not use up those of the main one. It is opened after the main
   * one, which waits for the migrations.
   */
  static forPoolAsync<Config>(options: FurtherPoolOptions<Config>): DynamicModule {
    return open(options.name, options, (dataSource, { logger }) => connectDatabase(dataSource, logger));
  }
}

function open<Config>(
  pool: string,
  options: DatabaseModuleOptions<Config> & Partial<FurtherPoolOptions<Config>>,
  connect: (dataSource: DataSource, opening: Opening) => Promise<void>,
): DynamicModule {
  // TypeORM's module passes only its own options to the DataSource factory.
  let opening: Opening | undefined;
  const transactions = {
    provide: getTransactionRunnerToken(options.name),
    inject: [getDataSourceToken(options.name)],
    useFactory: (dataSource: DataSource) => new TransactionRunner(dataSource),
  };
  return {
    module: DatabaseModule,
    global: true,
    providers: [transactions],
    exports: [transactions],
    imports: [
      TypeOrmModule.forRootAsync({
        name: options.name,
        inject: [CONFIG, LOGGER, HealthChecks, ...(options.name === undefined ? [] : [getDataSourceToken()])],
        useFactory: (config: Config, logger: Logger, health: HealthChecks) => {
          opening = { logger, health };
          // The factory retries by itself; TypeORM's retries would only add to that.
          return { ...options.useFactory(config), autoLoadEntities: true, retryAttempts: 0 };
        },
        dataSourceFactory: async (given) => {
          if (!given || !opening) throw new Error('a DataSource without options');
          const dataSource = new DataSource(given);
          observePool(pool, dataSource);
          await connect(dataSource, opening);
          return dataSource;
        },
      }),
    ],
  };
}

const pools = new Map<string, DataSource>();

/** Metrics of a connection pool, labelled with its name. */
function observePool(name: string, dataSource: DataSource): void {
  pools.set(name, dataSource);
  series(
    'database_pool_connections',
    'Connections to PostgreSQL (total, idle), and requests waiting for one.',
    ['pool', 'state'],
    () =>
      [...pools].flatMap(([pool, source]) =>
        Object.entries(poolCounts(source) ?? {}).map(([state, count]) => [{ pool, state }, count] as const),
      ),
  );
}
