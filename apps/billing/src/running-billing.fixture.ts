import { randomUUID } from 'node:crypto';
import {
  charge,
  type ChargeRequest,
  createAccount,
  createKey,
  type CreatedKey,
  maySend,
  type MessageContract,
  purchase,
  settle,
} from '#contracts';
import { createLogger, type Logger } from '#platform';
import { freePort, startRedis } from '#dev';
import { createTestDatabase } from '#testing';
import { type RequestContext, ServiceClient, startMicroservice } from '#transport';
import { DataSource } from 'typeorm';
import { keyRequest } from './accounts/keys/keys.fixture.js';
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
    databaseUrl: database.url,
    internalUrl: `http://127.0.0.1:${port}`,
    async close() {
      await stop();
      await Promise.all([client.close(), admin.destroy()]);
      await Promise.all([redis.stop(), database.drop()]);
    },
  };
}

export type RunningBilling = Awaited<ReturnType<typeof runBilling>>;

/** The account that buys and calls. */
export interface Caller {
  readonly account_id: string;
  readonly key: CreatedKey;
  /** The charge of another call, of 2 credits. */
  readonly call: () => ChargeRequest;
}

/** An account with a key and a Trial pack. */
export async function newCaller(client: ServiceClient): Promise<Caller> {
  const account_id = randomUUID();
  const account = { account_id, name: 'One', email: 'a@example.com', idempotency_key: randomUUID() };
  await client.request(createAccount, account, context);
  const { request, secret } = keyRequest(account_id, 'server');
  const { key } = await client.request(createKey, request, context);
  await client.request(purchase, { account_id, pack: 'trial', reference: 'order' }, context);
  const call = (): ChargeRequest => ({
    charge_id: randomUUID(),
    account_id,
    key_id: key.id,
    key_hash: request.key_hash,
    request_id: 'request',
    operation: 'search',
    credits: 2,
  });
  return { account_id, key: { ...key, key: secret }, call };
}

/** One call: charged, and posted. */
export async function callAndPost({ client }: RunningBilling, caller: Caller): Promise<void> {
  const request = caller.call();
  expect(await client.request(charge, request, context)).toMatchObject({ outcome: 'charged' });
  const settlement = {
    charge_id: request.charge_id,
    account_id: caller.account_id,
    outcome: 'posted' as const,
  };
  const { results } = await client.request(settle, { settlements: [settlement] }, context);
  expect(results).toMatchObject([{ result: 'posted' }]);
}
