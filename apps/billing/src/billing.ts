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
} from '@app/platform';
import { PassErrorsToTransport, RedisServer, ServiceClient } from '@app/transport';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { BillingModule } from './billing.module.js';
import { type BillingConfig } from './config/billing-config.js';
import { billingDataSourceOptions } from './database/data-source.js';
import { defaultLedgerOptions } from './ledger/ledger-options.js';
import { observePendingCharges } from './ledger/pending-gauges.js';
import { SweepService } from './sweep/sweep.service.js';

/** The whole process: the message handlers on their queues, the sweep and the internal port. */
export async function startBilling(config: BillingConfig): Promise<{ logger: Logger; service: Closable }> {
  const { SERVICE_REDIS_URL: redisUrl } = config;
  const pretty = config.LOG_PRETTY === 'true';
  const logger = createLogger({ service: 'billing', level: config.LOG_LEVEL, pretty });
  const dataSource = new DataSource(
    billingDataSourceOptions({
      url: config.BILLING_DATABASE_URL,
      poolSize: config.DATABASE_POOL_SIZE,
      keepsPrepared: config.BILLING_PREPARED_STATEMENTS === 'true',
    }),
  );
  const services = new ServiceClient({ redisUrl, logger });
  const strategy = new RedisServer({ redisUrl, service: 'billing', logger });
  const internal = await startInternalServer({
    host: config.INTERNAL_HOST,
    port: config.INTERNAL_PORT,
    checks: {
      database: () => checkDatabase(dataSource),
      redis: () => Promise.resolve(strategy.isReady && services.isReady ? null : 'not connected'),
    },
  });
  observePool(dataSource);
  observePendingCharges(dataSource);
  gauge('redis_connected', 'Whether messages can arrive: 1, or 0.', () =>
    Number(strategy.isReady && services.isReady),
  );
  await Promise.all([connectDatabase(dataSource, logger), services.connect()]);
  const options = {
    ...defaultLedgerOptions,
    pendingTimeoutMs: config.PENDING_TIMEOUT_MS,
    sweepPeriodMs: config.SWEEP_PERIOD_MS,
  };
  const app = await NestFactory.createMicroservice(
    BillingModule.register({ dataSource, services, options }),
    {
      strategy,
      logger: new NestLogger(logger),
      abortOnError: false,
    },
  );
  app.useGlobalFilters(new PassErrorsToTransport(toServiceError));
  await app.listen();
  app.get(SweepService).start();
  logger.info('listening');

  const close = async (): Promise<void> => {
    await app.close();
    await app.get(SweepService).stop();
    await services.close();
    await dataSource.destroy();
    await internal.close();
  };
  return { logger, service: { close } };
}
