import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { Redis } from 'ioredis';
import { createFundedAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { type Reply, send } from '../support/http.js';
import { KeyPool } from '../support/key-pool.js';
import { type CreditFields, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';
import { Stalls } from './support/stalls.js';

const pendingTimeoutMs = 12_000;
const comesBackWithinMs = 20_000;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

let stack: Stack;
let stalls: Stalls;
let redis: Redis;

beforeAll(async () => {
  const environment = { PENDING_TIMEOUT_MS: String(pendingTimeoutMs), HAND_OVER_MS: '5000' };
  stack = await startOperatedStack({ environment });
  stalls = new Stalls(stack);
  redis = new Redis(stack.redisUrl);
  await catalog.importVisible([creator], new KeyPool());
}, 120_000);

afterAll(async () => {
  redis?.disconnect();
  stalls?.close();
  await stack?.stop();
});

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

it('a call whose gateway is killed between charge and answer is paid once, when it is repeated after the time-out', async () => {
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
    // Billing charges now, and no gateway hears of it.
    await redis.acl('SETUSER', 'default', '-spublish');
    await release();
    await eventually(
      async () => expect(await chargesOf(account.id)).toEqual(['pending 1']),
      comesBackWithinMs,
    );
    stack.replica('gateway').kill('SIGKILL');
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

/** Another gateway takes the place of a killed one within a second. */
async function repliedBy(call: () => Promise<Reply<CreditFields>>): Promise<Reply<CreditFields>> {
  let reply: Reply<CreditFields> | undefined;
  await eventually(async () => {
    reply = await call();
    expect(reply.status).toBeLessThan(500);
  }, comesBackWithinMs);
  if (!reply) throw new Error('no gateway answers');
  return reply;
}
