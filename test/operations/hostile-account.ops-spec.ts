import { type Stack } from '@app/local-stack';
import { runSql } from '@app/testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { send } from '../support/http.js';
import { signedIn } from '../support/members.js';
import { paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

// A flood of a minute.
jest.setTimeout(60_000);

const freeCallsMax = 600;
/** Calls of an account with a year of heavy use. */
const callsStored = 200_000;

let stack: Stack;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = `/api/public/v1/creators/${creator.slug}`;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 2 } });
  await catalog.importVisible([creator], new KeyPool());
}, 120_000);

afterAll(() => stack?.stop());

const billing = <Row extends object>(sql: string): Promise<Row[]> =>
  runSql<Row>(stack.databaseUrls.billing, sql);
const chargesOf = async ({ id }: TestAccount): Promise<number> => {
  const [row] = await billing<{ charges: number }>(
    `SELECT count(*)::integer AS charges FROM charges WHERE account_id = '${id}' AND credits = 0`,
  );
  return row?.charges ?? 0;
};
const call = async (key: string, path: string, headers: Record<string, string> = {}) =>
  send(stack.publicUrl, path, { headers: { authorization: `Bearer ${key}`, ...headers } });

/** Runs `work` in so many loops until stopped; resolves to what each run gave. */
function hammer<Result>(loops: number, work: () => Promise<Result>): () => Promise<Result[]> {
  const results: Result[] = [];
  let isStopped = false;
  const running = Array.from({ length: loops }, async () => {
    while (!isStopped) results.push(await work());
  });
  return async () => {
    isStopped = true;
    await Promise.all(running);
    return results;
  };
}

it('an account without credits stores 600 free calls a minute at most, whichever gateways it asks', async () => {
  const account = await createFundedAccount({ credits: 1 });
  const etag = String((await call(account.key, profile)).headers.etag);
  expect(await admin.balance(account.id)).toBe(0);
  const begun = performance.now();
  const stop = hammer(32, async () => (await call(account.key, profile, { 'if-none-match': etag })).status);
  const customer = await createFundedAccount({ credits: 100 });
  for (let paid = 0; paid < 50; paid += 1) expect((await call(customer.key, profile)).status).toBe(200);
  while ((await chargesOf(account)) < freeCallsMax) expect(performance.now() - begun).toBeLessThan(30_000);
  const statuses = await stop();
  expect(new Set(statuses)).toEqual(new Set([304, 429]));
  const minutes = (performance.now() - begun) / 60_000;
  expect(await chargesOf(account)).toBeLessThanOrEqual(Math.ceil(freeCallsMax * (1 + minutes)));
  expect(minutes).toBeLessThan(1);
  expect(await chargesOf(account)).toBe(freeCallsMax);
});

it('one session that downloads its usage all the time leaves the reports of others as they are', async () => {
  const [busy, other] = await Promise.all([
    createFundedAccount({ credits: 10 }),
    createFundedAccount({ credits: 10, keys: 5 }),
  ]);
  await billing(
    `INSERT INTO charges (id, account_id, key_id, request_id, operation, credits, state, credits_remaining, created_at, pending_until, settled_at)
     SELECT gen_random_uuid(), '${busy.id}', '${busy.keyId}', 'one of many', 'profile', 0, 'posted', 0, at, at, at
     FROM generate_series(1, ${callsStored}) AS call,
       LATERAL (SELECT ledger_now() - call * interval '80 days' / ${callsStored} AS at) AS made`,
  );
  const visitor = await signedIn(busy.id);
  const day = (ago: number): string => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const file = `/account/usage.csv?from=${day(364)}&to=${day(0)}`;
  const stop = hammer(40, async () => (await visitor.get(file)).status);
  const answers = [];
  for (const { key } of other.keys) {
    for (let time = 0; time < 10; time += 1) {
      answers.push(...(await Promise.all([call(key, paths.calls), call(key, paths.usage)])));
    }
  }
  const downloads = await stop();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(downloads).toContain(200);

  const overviews = await Promise.all(Array.from({ length: 16 }, () => visitor.get('/account')));
  expect(overviews.map(({ status }) => status)).toEqual(Array<number>(16).fill(200));
});
