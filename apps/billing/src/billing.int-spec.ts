import { randomUUID } from 'node:crypto';
import {
  authenticateKey,
  charge,
  createAccount,
  createKey,
  getAccount,
  listPacks,
  purchase,
} from '#contracts';
import { type Closable } from '#platform';
import { migrate } from '#platform/database';
import { freePort, type PostgresServer, type RedisServer, startPostgres, startRedis } from '#dev';
import { eventually, killPostgres, readiness, restartPostgres } from '#testing';
import { connectRedis, createRedis, ServiceClient, startMicroservice } from '#transport';
import { DataSource } from 'typeorm';
import { keyRequest } from './accounts/keys/keys.fixture.js';
import { BillingModule } from './billing.module.js';
import { readBillingConfig } from './config/billing-config.js';
import { billingMigrationOptions } from './database/data-source.js';
import { Customer } from './ledger/ledger.fixture.js';
import { context, logger } from './running-billing.fixture.js';

let postgres: PostgresServer;
let redis: RedisServer;
let client: ServiceClient;
let starting: Promise<Closable>;
let service: Closable;
let internalUrl: string;

async function start(): Promise<Closable> {
  const port = await freePort();
  internalUrl = `http://127.0.0.1:${port}`;
  const config = readBillingConfig({
    SERVICE_REDIS_URL: redis.url,
    BILLING_DATABASE_URL: postgres.url(),
    INTERNAL_PORT: String(port),
    LOG_LEVEL: 'fatal',
    PENDING_TIMEOUT_MS: '1000',
    SWEEP_PERIOD_MS: '100',
  });
  return startMicroservice(BillingModule.forRoot(config, logger), logger);
}

async function balanceOf(account_id: string): Promise<number> {
  return (await client.request(getAccount, { account_id }, context)).credits_remaining;
}

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  client = new ServiceClient({ redisUrl: redis.url, logger });
  await client.connect();
  starting = start();
  starting.catch(() => undefined);
});

afterAll(async () => {
  await service?.close();
  await client?.close();
  await Promise.all([postgres?.stop(), redis?.stop()]);
});

describe('billing', () => {
  it('is not ready and takes no message before its migrations, and is ready after them', async () => {
    await eventually(
      async () => expect((await readiness(internalUrl)).body).toContain('migrations are pending'),
      5_000,
    );
    expect(await readiness(internalUrl)).toMatchObject({ status: 503 });
    await expect(client.request(listPacks, {}, context)).rejects.toMatchObject({ code: 'unavailable' });
    const commands = createRedis(redis.url, logger);
    await connectRedis(commands, logger);
    expect(await commands.keys('*')).toEqual([]);
    commands.disconnect();
    const admin = await new DataSource(billingMigrationOptions(postgres.url())).initialize();
    await migrate(admin);
    await admin.destroy();
    service = await starting;
    expect(await readiness(internalUrl)).toMatchObject({ status: 200 });
    expect((await client.request(listPacks, {}, context)).packs).toHaveLength(4);
  });

  it('answers unavailable, quickly, while PostgreSQL is down, and recovers when it is back', async () => {
    const account_id = randomUUID();
    const account = { account_id, name: 'One', email: 'a@example.com', idempotency_key: randomUUID() };
    await client.request(createAccount, account, context);
    const { request } = keyRequest(account_id, 'server');
    const { key } = await client.request(createKey, request, context);
    const order = { account_id, pack: 'trial', reference: 'order' } as const;
    await client.request(purchase, order, context);
    const call = { ...new Customer(account_id, key.id).request(2), key_hash: request.key_hash };
    await killPostgres(postgres);
    const requests = [
      () => balanceOf(account_id),
      () => client.request(authenticateKey, { key_hash: request.key_hash }, context),
      () => client.request(charge, call, context),
      () => client.request(purchase, { ...order, reference: 'again' }, context),
      () => client.request(createKey, keyRequest(account_id, 'second').request, context),
    ];
    for (const request of requests) {
      const started = performance.now();
      await expect(request()).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - started).toBeLessThan(900);
    }
    expect((await readiness(internalUrl)).status).toBe(503);

    await restartPostgres(postgres);
    expect(await eventually(() => balanceOf(account_id), 2_000)).toBe(50);
    expect((await readiness(internalUrl)).status).toBe(200);
  }, 60_000);

  it('waits for a database that starts late, and is alive meanwhile', async () => {
    await service.close();
    await killPostgres(postgres);
    const starting = start();
    await eventually(async () => expect((await fetch(`${internalUrl}/health/live`)).status).toBe(200), 5_000);
    expect((await readiness(internalUrl)).body).toContain('not connected to PostgreSQL yet');
    await restartPostgres(postgres);
    service = await starting;
    expect((await readiness(internalUrl)).status).toBe(200);
  }, 60_000);
});
