import {
  checkDatabase,
  type Closable,
  connectDatabase,
  createLogger,
  type Logger,
  gauge,
  NestLogger,
  observePool,
  startInternalServer,
  toServiceError,
  waitForMigrations,
} from '@app/platform';
import { PassErrorsToTransport, RedisServer } from '@app/transport';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { CatalogModule } from './catalog.module.js';
import { type CatalogConfig } from './config/catalog-config.js';
import { catalogDataSourceOptions } from './database/data-source.js';
import { startImportSweep } from './import/import-sweep.js';
import { ThreadedPreparer } from './import/threaded-preparer.js';
import { createSearch } from './search/create-search.js';
import { BackgroundWork } from './threads/background-work.js';

/**
 * The whole process: the message handlers on their queues, and the internal port. `compiled` is where this file lies
 * compiled: a thread runs no sources.
 */
export async function startCatalog(
  config: CatalogConfig,
  compiled: string = import.meta.url,
): Promise<{ logger: Logger; service: Closable }> {
  const logger = createLogger({
    service: 'catalog',
    level: config.LOG_LEVEL,
    pretty: config.LOG_PRETTY === 'true',
  });
  const dataSource = new DataSource(
    catalogDataSourceOptions({
      url: config.CATALOG_DATABASE_URL,
      replicaUrls: config.CATALOG_REPLICA_URLS,
      poolSize: config.DATABASE_POOL_SIZE,
    }),
  );
  const strategy = new RedisServer({ redisUrl: config.SERVICE_REDIS_URL, service: 'catalog', logger });
  const background = new BackgroundWork();
  const search = createSearch(config, dataSource, logger, background, compiled);
  const internal = await startInternalServer({
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    checks: {
      database: () => checkDatabase(dataSource),
      redis: () => Promise.resolve(strategy.isReady ? null : 'not connected'),
      index: () => Promise.resolve(search.missing()),
    },
  });
  observePool(dataSource);
  gauge('redis_connected', 'Whether messages can arrive: 1, or 0.', () => Number(strategy.isReady));
  await connectDatabase(dataSource, logger);
  await waitForMigrations(dataSource, logger);
  await search.open();
  const preparer = new ThreadedPreparer(new URL('./import/import-worker.js', compiled));
  const app = await NestFactory.createMicroservice(
    CatalogModule.register({ dataSource, siteUrl: config.SITE_URL, search, preparer, background }),
    { strategy, logger: new NestLogger(logger), abortOnError: false },
  );
  app.useGlobalFilters(new PassErrorsToTransport(toServiceError));
  await app.listen();
  const sweep = startImportSweep(dataSource, logger);
  logger.info('listening');

  const close = async (): Promise<void> => {
    await app.close();
    await sweep.stop();
    await Promise.all([search.close(), preparer.close()]);
    await dataSource.destroy();
    await internal.close();
  };
  return { logger, service: { close } };
}
