import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Redis } from 'ioredis';
import { createAccount, createFundedAccount, type TestAccount } from '../support/accounts.js';
import { type Account, admin, type Key, succeeded } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

// Replicas are paused until requests time out.
jest.setTimeout(60_000);

/** The default of a message, and of the admin API. */
const deadlineMs = 5_000;
const comesBackWithinMs = 20_000;
const catalog = new SuiteCatalog();

type CreatedKey = Key & { readonly key: string };

let stack: Stack;
let stalls: Stalls;
let redis: Redis;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 1, catalog: 2, billing: 2 } });
  stalls = new Stalls(stack);
  redis = new Redis(stack.redisUrl);
}, 120_000);

afterEach(() => stalls.resumeAll());
afterAll(async () => {
  redis?.disconnect();
  stalls?.close();
  await stack?.stop();
});

const keyPath = ({ id, keyId }: TestAccount): string => `/accounts/${id}/keys/${keyId}`;
const lockOf = (accountId: string): string => `SELECT FROM accounts WHERE id = '${accountId}' FOR UPDATE`;
const lockOfCatalog = 'UPDATE catalog_state SET revision = revision';

async function isActive(account: TestAccount): Promise<boolean> {
  return succeeded(await admin.call<Key>('GET', keyPath(account))).active;
}

const setActive = (account: TestAccount, active: boolean) =>
  admin.call<Key>('PATCH', keyPath(account), { active });

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
    expect(await isActive(account)).toBe(false);
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

describe('nothing is committed after a 503', () => {
  it('for a change to an account that another session held for too long', async () => {
    const account = await createFundedAccount();
    await setActive(account, false);
    await stalls.whileLocked('billing', lockOf(account.id), async ({ release }) => {
      expect((await setActive(account, true)).status).toBe(503);
      await release();
      await stalls.quiet('billing');
      expect(await isActive(account)).toBe(false);
    });
  });

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

/** As long as `work` runs no reply gets into Redis: services do their work, and the gateway gets no reply. */
async function withoutReplies<Result>(work: () => Promise<Result>): Promise<Result> {
  await redis.acl('SETUSER', 'default', '-spublish');
  try {
    return await work();
  } finally {
    await redis.acl('SETUSER', 'default', '+spublish');
  }
}

const createUnder = (idempotencyKey: string) =>
  admin.create<Account>('/accounts', { name: idempotencyKey, email: 'a@customer.example' }, idempotencyKey);

const createKeyUnder = (accountId: string, idempotencyKey: string) =>
  admin.create<CreatedKey>(`/accounts/${accountId}/keys`, { name: 'server' }, idempotencyKey);

async function accountsNamed(name: string): Promise<Account[]> {
  const { accounts } = succeeded(await admin.call<{ accounts: Account[] }>('GET', '/accounts?limit=100'));
  return accounts.filter((account) => account.name === name);
}

async function keysOf(accountId: string): Promise<Key[]> {
  return succeeded(await admin.call<{ keys: Key[] }>('GET', `/accounts/${accountId}/keys`)).keys;
}

/** The statuses of free calls with the secrets of these replies. */
function statusesOf(replies: readonly Awaited<ReturnType<typeof createKeyUnder>>[]): Promise<number[]> {
  const secrets = replies.flatMap(({ status, body }) => (status < 300 ? [body.key] : []));
  return Promise.all(secrets.map((key) => api.freeStatus(key)));
}

describe('with an Idempotency-Key', () => {
  it('an account whose reply was lost is created once and returned to the next request', async () => {
    const name = `Lost-${randomWord()}`;
    expect((await withoutReplies(() => createUnder(name))).status).toBe(503);
    const [made] = await accountsNamed(name);
    expect(await createUnder(name)).toMatchObject({ status: 200, body: made });
    expect(await accountsNamed(name)).toEqual([made]);
  });

  it('a key whose reply was lost with its gateway is created once, and the next request gets a secret that works', async () => {
    const { id } = await createAccount();
    const request = () => createKeyUnder(id, 'key-of-the-server');
    await stalls.whileLocked('billing', lockOf(id), async ({ release, waitedFor }) => {
      const lost = request().then(
        () => 'answered',
        () => 'lost',
      );
      await waitedFor(0);
      stack.replica('gateway').kill('SIGKILL');
      expect(await lost).toBe('lost');
      await release();
      await stalls.quiet('billing');
    });
    await eventually(async () => expect(await keysOf(id)).toHaveLength(1), comesBackWithinMs);
    const [made] = await keysOf(id);
    const again = await request();
    expect(again).toMatchObject({ status: 200, body: { id: made?.id, name: 'server' } });
    expect(await keysOf(id)).toHaveLength(1);
    await eventually(async () => expect(await api.freeStatus(again.body.key)).toBe(200));
  });

  it('a key whose message was sent twice, because a paused replica had taken it, has the secret of the answer', async () => {
    const { id } = await createAccount();
    const { reply, resume } = await stalls.takenByPaused('billing', () => createKeyUnder(id, randomWord()));
    const { status, body } = await reply;
    expect(status).toBe(201);
    await resume();
    expect(await keysOf(id)).toHaveLength(1);
    expect(await api.freeStatus(body.key)).toBe(200);
  });

  it('a late delivery does not replace the secret that a later request got', async () => {
    const { id } = await createAccount();
    const request = () => createKeyUnder(id, 'left-behind');
    const { reply, resume } = await stalls.takenByPaused('billing', request);
    const given = [await request(), await reply];
    await resume();
    expect(await keysOf(id)).toHaveLength(1);
    expect(await statusesOf(given)).toContain(200);
  });

  it('many requests at once create one account and one key', async () => {
    const name = `Many-${randomWord()}`;
    const replies = await Promise.all(Array.from({ length: 12 }, () => createUnder(name)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
    const { id } = await createAccount();
    const keys = await Promise.all(Array.from({ length: 12 }, () => createKeyUnder(id, name)));
    expect(await keysOf(id)).toHaveLength(1);
    expect((await statusesOf(keys)).filter((status) => status === 200)).toHaveLength(1);
  });
});
