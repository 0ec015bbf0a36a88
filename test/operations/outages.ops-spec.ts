import { serviceNames, type Stack } from '#dev';
import { eventually } from '#testing';
import { Redis } from 'ioredis';
import { createAccount, createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin, type Key, succeeded } from '../support/admin-api.js';
import { Consumer, hasFailed } from '../support/consumers.js';
import { type Reply, send } from '../support/http.js';
import { api, type CreditFields, paths } from '../support/public-api.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

// Replicas are paused until requests time out.
jest.setTimeout(60_000);

/** How long each service is restarted again and again: at least once for each replica. */
const rolloutMs = Number(process.env.ROLLOUT_SECONDS ?? 0) * 1_000;
const consumerCount = 3;
/** The default of a message, and of the admin API. */
const deadlineMs = 5_000;
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

afterEach(async () => {
  stalls.resumeAll();
  expect((await admin.audit()).discrepancies).toEqual([]);
});

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

const lockOf = (accountId: string): string => `SELECT FROM accounts WHERE id = '${accountId}' FOR UPDATE`;

const killGateways = (): void => [0, 1].forEach((index) => stack.replica('gateway', index).kill('SIGKILL'));

const statusOf = (call: Promise<Reply<unknown>>): Promise<number | string> =>
  call.then(
    ({ status }) => status,
    () => 'lost',
  );

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

it('a call whose gateway is killed between charge and answer is paid once when it is repeated after the time-out', async () => {
  const account = await createFundedAccount({ credits: 10 });
  const headers = { authorization: `Bearer ${account.key}`, 'idempotency-key': 'killed' };
  const call = (): Promise<Reply<CreditFields>> =>
    send(stack.publicUrl, paths.profile(creator.slug), { headers });

  await stalls.whileLocked('billing', lockOf(account.id), async ({ release, waitedFor }) => {
    const lost = statusOf(call());
    await waitedFor(0);
    // Billing charges now, and no gateway gets its reply.
    await redis.acl('SETUSER', 'default', '-spublish');
    await release();
    await eventually(
      async () => expect(await chargesOf(account.id)).toEqual(['pending 1']),
      comesBackWithinMs,
    );
    killGateways();
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

const lockOfCatalog = 'UPDATE catalog_state SET revision = revision';

const setActive = (account: TestAccount, active: boolean) =>
  admin.call<Key>('PATCH', `/accounts/${account.id}/keys/${account.keyId}`, { active });

const publish = (slug: string) => admin.call('PATCH', `/creators/${slug}`, { published: true });

/** A creator that is stored but hidden. */
async function hiddenCreator(name: string): Promise<string> {
  const record = catalog.record(name, { published: false });
  await catalog.import([record]);
  return record.slug;
}

async function expectHidden(slug: string): Promise<void> {
  expect((await admin.call('GET', `/creators/${slug}`)).body).toMatchObject({ published: false });
}

describe('when the first delivery of a change stalls and a newer change is confirmed', () => {
  it('a key stays switched off', async () => {
    const account = await createFundedAccount();
    const { reply, resume } = await stalls.takenByPaused('billing', () => setActive(account, true));
    await reply;
    expect((await setActive(account, false)).status).toBe(200);
    await resume();
    const key = await admin.call('GET', `/accounts/${account.id}/keys/${account.keyId}`);
    expect(key.body).toMatchObject({ active: false });
  });

  it('a deleted creator stays deleted', async () => {
    const record = catalog.record('taken-down');
    await catalog.import([record]);
    const put = () => admin.call('PUT', `/creators/${record.slug}`, { ...record, tagline: 'late' });
    const { reply, resume } = await stalls.takenByPaused('catalog', put);
    await reply;
    expect((await admin.call('DELETE', `/creators/${record.slug}`)).status).toBe(200);
    await resume();
    expect((await admin.call('GET', `/creators/${record.slug}`)).status).toBe(404);
  });
});

// Changes to accounts: apps/billing/src/database/commit-in-time.int-spec.ts.
describe('nothing is committed after a 503', () => {
  it('for a change to creators that another writer held up for too long', async () => {
    const slug = await hiddenCreator('held-up');
    await stalls.whileLocked('catalog', lockOfCatalog, async ({ release }) => {
      expect((await publish(slug)).status).toBe(503);
      await release();
      await stalls.quiet('catalog');
      await expectHidden(slug);
    });
  });

  it('by replicas that were paused in the middle of the change and go on in a transaction that is still open', async () => {
    const slug = await hiddenCreator('paused');
    await stalls.whileLocked('catalog', lockOfCatalog, async ({ release, waitedFor }) => {
      const change = publish(slug);
      await waitedFor(deadlineMs / 2);
      const replicas = [stack.replica('catalog', 0), stack.replica('catalog', 1)];
      for (const replica of replicas) replica.kill('SIGSTOP');
      await release();
      expect((await change).status).toBe(503);
      for (const replica of replicas) replica.kill('SIGCONT');
      await stalls.quiet('catalog');
      await expectHidden(slug);
    });
  });
});

// Second deliveries, and those that come late: apps/billing/src/ledger/idempotency/idempotency.int-spec.ts.
it('a key whose reply was lost with its gateway is created once, and the next request gets a secret that works', async () => {
  const { id } = await createAccount();
  const path = `/accounts/${id}/keys`;
  const request = () =>
    admin.create<Key & { readonly key: string }>(path, { name: 'server' }, 'of-the-server');
  const keys = async () => succeeded(await admin.call<{ keys: Key[] }>('GET', path)).keys;
  await stalls.whileLocked('billing', lockOf(id), async ({ release, waitedFor }) => {
    const lost = statusOf(request());
    await waitedFor(0);
    killGateways();
    expect(await lost).toBe('lost');
    await release();
    await stalls.quiet('billing');
  });
  await eventually(async () => expect(await keys()).toHaveLength(1), comesBackWithinMs);
  const [made] = await keys();
  const again = await request();
  expect(again).toMatchObject({ status: 200, body: { id: made?.id, name: 'server' } });
  expect(await keys()).toHaveLength(1);
  await eventually(async () => expect(await api.freeStatus(again.body.key)).toBe(200));
});
