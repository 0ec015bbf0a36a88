import { serviceNames, type Stack } from '#dev';
import { eventually } from '#testing';
import { Redis } from 'ioredis';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { Consumer, hasFailed } from '../support/consumers.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

// Processes that are killed or paused: test/faults. What is late is not run: libs/transport/src/bounds.int-spec.ts; nor committed:
// apps/billing/src/database/account-transactions.int-spec.ts.
jest.setTimeout(60_000);

/** How long each service is restarted again and again: at least once for each replica. */
const rolloutMs = Number(process.env.ROLLOUT_SECONDS ?? 0) * 1_000;
const consumerCount = 3;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

let stack: Stack;
let redis: Redis;

beforeAll(async () => {
  stack = await startOperatedStack({
    replicas: { gateway: 2, catalog: 2, billing: 2 },
    environment: { PENDING_TIMEOUT_MS: '12000', HAND_OVER_MS: '5000' },
  });
  redis = new Redis(stack.redisUrl);
  await catalog.importVisible([creator]);
}, 120_000);

afterAll(async () => {
  redis?.disconnect();
  await stack?.stop();
});

afterEach(async () => expect((await admin.audit()).discrepancies).toEqual([]));

describe('a roll-out, one replica after the other under load,', () => {
  let consumers: Consumer[] = [];

  beforeAll(async () => {
    const accounts = await Promise.all(
      Array.from({ length: consumerCount }, () => createFundedAccount({ credits: 1_000_000, keys: 5 })),
    );
    consumers = accounts.map((account) => new Consumer(account, creator.slug, false));
  });
  afterAll(() => Promise.all(consumers.map((consumer) => consumer.stop())));

  it.each(serviceNames)(
    'of %s loses no call',
    async (service) => {
      const startedAt = performance.now();
      let restarts = 0;
      while (restarts === 0 || performance.now() - startedAt < rolloutMs) {
        const before = stack.pids[service];
        await stack.restartService(service);
        expect(stack.pids[service].filter((pid) => before.includes(pid))).toEqual([]);
        restarts += before.length;
      }
      const receipts = consumers.flatMap((consumer) =>
        consumer.receipts.filter((receipt) => receipt.startedAt >= startedAt),
      );
      const failed = receipts.filter(hasFailed);
      process.stdout.write(
        `${service}: ${restarts} restarts, ${receipts.length} calls, ${failed.length} failed\n`,
      );
      expect(receipts.length).toBeGreaterThan(50);
      expect(failed).toEqual([]);
    },
    60_000 + rolloutMs * 2,
  );
});

it('while Redis is full, calls are answered with a 503 at once and charged nothing, and they succeed again when there is room', async () => {
  const { id, key } = await createFundedAccount({ credits: 100 });
  expect((await api.profile(creator.slug, key)).status).toBe(200);
  await redis.set('of another program', 'kept');
  const { 1: roomByDefault } = await redis.config('GET', 'maxmemory');
  await redis.config('SET', 'maxmemory', 1);
  let slowestMs = 0;
  // Longer than a lease: also when no replica of a service could renew its own.
  const until = Date.now() + 4_000;
  while (Date.now() < until) {
    const startedAt = performance.now();
    const { status, headers } = await api.profile(creator.slug, key);
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(slowestMs).toBeLessThan(2_000);
  expect(await redis.get('of another program')).toBe('kept');

  await redis.config('SET', 'maxmemory', roomByDefault ?? '');
  await eventually(async () => expect((await api.profile(creator.slug, key)).status).toBe(200), 5_000);
  await settledLedgers([id], 40_000);
  expect((await api.balance(key)).body.credits_remaining).toBe(98);
});
