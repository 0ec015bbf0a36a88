import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Redis } from 'ioredis';
import { createAccount } from '../support/accounts.js';
import { type Account, admin, type Key, succeeded } from '../support/admin-api.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

const comesBackWithinMs = 20_000;

type CreatedKey = Key & { readonly key: string };

let stack: Stack;
let stalls: Stalls;
let redis: Redis;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 1, catalog: 1, billing: 2 } });
  stalls = new Stalls(stack);
  redis = new Redis(stack.redisUrl);
}, 120_000);

afterEach(() => stalls.resumeAll());
afterAll(async () => {
  redis?.disconnect();
  stalls?.close();
  await stack?.stop();
});

/** As long as `work` runs no reply gets into Redis: services do their work, and nobody hears of it. */
async function withoutReplies<Result>(work: () => Promise<Result>): Promise<Result> {
  await redis.acl('SETUSER', 'default', '-spublish');
  try {
    return await work();
  } finally {
    await redis.acl('SETUSER', 'default', '+spublish');
  }
}

async function accountsNamed(name: string): Promise<Account[]> {
  const { accounts } = succeeded(await admin.call<{ accounts: Account[] }>('GET', '/accounts?limit=100'));
  return accounts.filter((account) => account.name === name);
}

async function keysOf(accountId: string): Promise<Key[]> {
  return succeeded(await admin.call<{ keys: Key[] }>('GET', `/accounts/${accountId}/keys`)).keys;
}

it('an account whose reply was lost is created once: the same Idempotency-Key returns it', async () => {
  const name = `Lost-${randomWord()}`;
  const request = () => admin.create<Account>('/accounts', { name, email: 'a@customer.example' }, name);
  const first = await withoutReplies(request);
  expect(first.status).toBe(503);
  const [made] = await accountsNamed(name);
  expect(await request()).toMatchObject({ status: 200, body: made });
  expect(await accountsNamed(name)).toEqual([made]);
}, 60_000);

it('a key whose reply was lost with its gateway is created once: the same Idempotency-Key returns a secret that works', async () => {
  const { id } = await createAccount();
  const request = () =>
    admin.create<CreatedKey>(`/accounts/${id}/keys`, { name: 'server' }, 'key-of-the-server');
  const lock = `SELECT FROM accounts WHERE id = '${id}' FOR UPDATE`;
  await stalls.whileLocked('billing', lock, async ({ release, waitedFor }) => {
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
}, 60_000);

it('a key whose message was sent twice, because a paused replica had taken it, has the secret that was answered', async () => {
  const { id } = await createAccount();
  const request = () => admin.create<CreatedKey>(`/accounts/${id}/keys`, { name: 'server' }, randomWord());
  const { reply, resume } = await stalls.takenByPaused('billing', request);
  const { status, body } = await reply;
  expect(status).toBe(201);
  await resume();
  expect(await keysOf(id)).toHaveLength(1);
  expect(await api.freeStatus(body.key)).toBe(200);
}, 60_000);

it('a late delivery does not replace the secret that a later request was given', async () => {
  const { id } = await createAccount();
  const request = () => admin.create<CreatedKey>(`/accounts/${id}/keys`, { name: 'server' }, 'left-behind');
  const { reply, resume } = await stalls.takenByPaused('billing', request);
  const given = [await request(), await reply];
  await resume();
  const [known] = await keysOf(id);
  expect(await keysOf(id)).toEqual([known]);
  const secrets = given.flatMap(({ status, body }) => (status < 300 ? [body.key] : []));
  const statuses = await Promise.all(secrets.map((key) => api.freeStatus(key)));
  expect(statuses).toContain(200);
}, 60_000);

it('many requests at once with one Idempotency-Key create one account or key', async () => {
  const name = `Many-${randomWord()}`;
  const ask = () => admin.create<Account>('/accounts', { name, email: 'a@customer.example' }, name);
  const replies = await Promise.all(Array.from({ length: 12 }, ask));
  expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(11).fill(200), 201]);
  const { id } = await createAccount();
  const askKey = () => admin.create<CreatedKey>(`/accounts/${id}/keys`, { name: 'server' }, name);
  const keys = await Promise.all(Array.from({ length: 12 }, askKey));
  expect(await keysOf(id)).toHaveLength(1);
  const secrets = keys.flatMap(({ status, body }) => (status < 300 ? [body.key] : []));
  const statuses = await Promise.all(secrets.map((key) => api.freeStatus(key)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
}, 60_000);
