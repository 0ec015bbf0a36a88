import { serviceNames, type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Redis } from 'ioredis';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { Consumer, hasFailed, type Receipt } from '../support/consumers.js';
import { type Reply, send } from '../support/http.js';
import { api, type CreditFields, paths } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

/** How long each service is restarted again and again: at least once for each replica. */
const rolloutMs = Number(process.env.ROLLOUT_SECONDS ?? 0) * 1_000;
const consumerCount = 6;
const pendingTimeoutMs = 12_000;
const comesBackWithinMs = 20_000;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

let stack: Stack;
let stalls: Stalls;
let redis: Redis;

beforeAll(async () => {
  stack = await startOperatedStack({
    replicas: { gateway: 2, catalog: 2, billing: 2 },
    environment: { PENDING_TIMEOUT_MS: String(pendingTimeoutMs), HAND_OVER_MS: '5000' },
  });
  stalls = new Stalls(stack);
  redis = new Redis(stack.redisUrl);
  await catalog.importVisible([creator]);
}, 120_000);

afterAll(async () => {
  redis?.disconnect();
  stalls?.close();
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
      const receipts = receiptsSince(startedAt);
      const failed = receipts.filter(hasFailed);
      const slowestMs = Math.max(...receipts.map((receipt) => receipt.endedAt - receipt.startedAt));
      process.stdout.write(
        `${service}: ${restarts} restarts, ${receipts.length} calls, ${failed.length} failed, slowest ${Math.round(slowestMs)} ms\n`,
      );
      expect(receipts.length).toBeGreaterThan(100);
      expect(failed).toEqual([]);
    },
    60_000 + rolloutMs * 2,
  );

  function receiptsSince(since: number): Receipt[] {
    return consumers.flatMap(({ receipts }) => receipts.filter(({ startedAt }) => startedAt >= since));
  }
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
}, 60_000);

it('a call whose gateway is killed between charge and answer is paid once when it is repeated after the time-out', async () => {
  const account = await createFundedAccount({ credits: 10 });
  const headers = { authorization: `Bearer ${account.key}`, 'idempotency-key': 'killed' };
  const call = (): Promise<Reply<CreditFields>> =>
    send(stack.publicUrl, paths.profile(creator.slug), { headers });

  const lock = `SELECT FROM accounts WHERE id = '${account.id}' FOR UPDATE`;
  await stalls.whileLocked('billing', lock, async ({ release, waitedFor }) => {
    const lost = call().then(
      ({ status }) => status,
      () => 'lost',
    );
    await waitedFor(0);
    // Billing charges now, and no gateway gets its reply.
    await redis.acl('SETUSER', 'default', '-spublish');
    await release();
    await eventually(
      async () => expect(await chargesOf(account.id)).toEqual(['pending 1']),
      comesBackWithinMs,
    );
    for (const index of [0, 1]) stack.replica('gateway', index).kill('SIGKILL');
    expect(await lost).toBe('lost');
    await redis.acl('SETUSER', 'default', '+spublish');
  });
  const early = await repliedBy(call);
  expect(early).toMatchObject({ status: 409, headers: { 'retry-after': '1' } });

  let answer = early;
  await eventually(async () => {
    answer = await repliedBy(call);
    expect(answer.status).not.toBe(409);
  }, pendingTimeoutMs + comesBackWithinMs);
  expect(answer).toMatchObject({ status: 200, body: { credits_used: 1, credits_remaining: 9 } });
  expect(answer.headers['idempotent-replayed']).toBeUndefined();
  await eventually(async () => {
    const again = await call();
    expect(again).toMatchObject({ status: 200, body: { credits_used: 0, credits_remaining: 9 } });
    expect(again.headers['idempotent-replayed']).toBe('true');
  }, comesBackWithinMs);
  const charges = await chargesOf(account.id);
  expect(charges.filter((charge) => !charge.startsWith('refused'))).toEqual([
    'voided 1',
    'posted 1',
    'posted 0',
  ]);
  expect(await admin.balance(account.id)).toBe(9);
}, 90_000);

/** State and credits of the account's charges, in the order in which they were made. */
async function chargesOf(accountId: string): Promise<string[]> {
  const { rows } = await stalls.inDatabase('billing', (client) =>
    client.query<{ charge: string }>(
      `SELECT concat_ws(' ', state, credits) AS charge FROM charges WHERE account_id = $1 ORDER BY created_at, id`,
      [accountId],
    ),
  );
  return rows.map(({ charge }) => charge);
}

/** The first reply of the gateways that replace the killed ones. */
async function repliedBy(call: () => Promise<Reply<CreditFields>>): Promise<Reply<CreditFields>> {
  return eventually(async () => {
    const reply = await call();
    expect(reply.status).toBeLessThan(500);
    return reply;
  }, comesBackWithinMs);
}
