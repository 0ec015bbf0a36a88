import { maySend, type MessageContract } from '#contracts';
import { createLogger, type Logger } from '#platform';
import { freePort, startRedis } from '#dev';
import { createTestDatabase } from '#testing';
import { type RequestContext, ServiceClient, startMicroservice } from '#transport';
import { DataSource } from 'typeorm';
import { BillingModule } from './billing.module.js';
import { readBillingConfig } from './config/billing-config.js';
import { billingMigrationOptions } from './database/data-source.js';
import { grants } from './database/grants.js';
import { migrations } from './database/migrations/index.js';

export const context = { requestId: 'request' };
export const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

/** Sends each message as the one does who sends it: the gateway, or the website. */
class ClientOfBothDoors extends ServiceClient {
  private readonly website: ServiceClient;

  constructor(redisUrl: string) {
    super({ redisUrl, logger });
    this.website = new ServiceClient({ redisUrl, logger, door: 'website' });
  }

  override async connect(): Promise<void> {
    await Promise.all([super.connect(), this.website.connect()]);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.website.close()]);
  }

  override request<Request, Reply>(
    contract: MessageContract<Request, Reply>,
    payload: Request,
    from: RequestContext,
  ): Promise<Reply> {
    return maySend('gateway', contract)
      ? super.request(contract, payload, from)
      : this.website.request(contract, payload, from);
  }
}

/** A replica of billing as deployed, with its own database, Redis and rights, called over Redis as gateway and website call it. */
export async function runBilling(environment: Readonly<Record<string, string>> = {}, log: Logger = logger) {
  const [database, redis, port] = await Promise.all([
    createTestDatabase({ name: 'billing', migrations, grants }),
    startRedis(),
    freePort(),
  ]);
  const config = readBillingConfig({
    SERVICE_REDIS_URL: redis.url,
    BILLING_DATABASE_URL: database.runtimeUrl,
    INTERNAL_PORT: String(port),
    LOG_LEVEL: 'fatal',
    ...environment,
  });
  const client = new ClientOfBothDoors(redis.url);
  const [service, admin] = await Promise.all([
    startMicroservice(BillingModule.forRoot(config, log), log),
    new DataSource(billingMigrationOptions(database.url)).initialize(),
    client.connect(),
  ]);
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopped ??= service.close().then(() => undefined);
    await stopped;
  };
  return {
    client,
    /** The test's own connections, without limits. */
    admin,
    stop,
    internalUrl: `http://127.0.0.1:${port}`,
    async close() {
      await stop();
      await Promise.all([client.close(), admin.destroy()]);
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}

export type RunningBilling = Awaited<ReturnType<typeof runBilling>>;
