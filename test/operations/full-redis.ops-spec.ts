import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Redis } from 'ioredis';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

// Redis is filled and emptied.
jest.setTimeout(30_000);

const catalog = new SuiteCatalog();
const creator = catalog.record('one');

let stack: Stack;
let account: TestAccount;
let redis: Redis;

beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator], new KeyPool());
  account = await createFundedAccount({ credits: 100 });
  redis = new Redis(stack.redisUrl);
}, 120_000);

afterAll(async () => {
  redis?.disconnect();
  await stack?.stop();
});

const key = (): string => account.keys[0]?.key ?? '';

/** More is stored than Redis may hold; null: as much as it may by default. */
async function setRoom(bytes: number | null): Promise<void> {
  await redis.config('SET', 'maxmemory', bytes ?? '640mb');
}

it('answers 503 at once while Redis is full, charges nothing, and answers again when there is room', async () => {
  expect((await api.profile(creator.slug, key())).status).toBe(200);
  await redis.set('of somebody else', 'kept');
  await setRoom(1);
  const slowest = { ms: 0 };
  // Longer than a lease: also when no replica of a service could renew its own.
  const until = Date.now() + 4_000;
  while (Date.now() < until) {
    const startedAt = performance.now();
    const { status, headers } = await api.profile(creator.slug, key());
    slowest.ms = Math.max(slowest.ms, performance.now() - startedAt);
    expect(status).toBe(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(slowest.ms).toBeLessThan(2_000);
  expect(await redis.get('of somebody else')).toBe('kept');

  await setRoom(null);
  await eventually(async () => expect((await api.profile(creator.slug, key())).status).toBe(200), 5_000);
  await settledLedgers([account.id], 40_000);
  const { credits_remaining } = (await api.balance(key())).body;
  expect(credits_remaining).toBe(98);
  expect((await admin.audit()).discrepancies).toEqual([]);
});
