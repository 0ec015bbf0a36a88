import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '#dev';
import { Metrics, runSql } from '#testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { signedIn } from '../support/members.js';
import { api, type CreditFields, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { ledgerAftermath, ledgerInOrder, requestsLeftInFlight } from './support/aftermath.js';
import { LargeAnswers } from './support/large-answers.js';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf, wireRequest } from './support/wire-requests.js';

// Thousands of calls are made. `npm test` has the same limits one by one, in suites of the gateway that docs/security.md names.
jest.setTimeout(60_000);

const freeCallsMax = 600;
/** Calls of an account with a year of heavy use. */
const callsStored = 200_000;
/** So many questions find an exact number of followers, a bit at a time. */
const questions = 72;
const answersInAnHour = 20;
const abandonedInAMinute = 60;
/** Free with two hundred paid calls. */
const abandonedInADay = 5 + 2;
const clients = 40;
const attackMs = 5_000;
const latestMs = 12;

const catalog = new SuiteCatalog();
const creator = catalog.record('target', {
  name: catalog.marker,
  platforms: [catalog.account({ platform: 'youtube', handle: catalog.marker, followers: 123_456 })],
});
const profile = paths.profile(creator.slug);

let stack: Stack;
let large: LargeAnswers;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 2 } });
  await catalog.importVisible([creator]);
  large = await LargeAnswers.create(stack.publicUrl);
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
const call = (key: string, path: string, headers: Record<string, string> = {}) =>
  api.get<CreditFields>(path, key, { headers });

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

it('an account without credits stores 600 free calls a minute at most, at all gateways together', async () => {
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

it('one session that downloads its usage all the time does not slow down the reports of others', async () => {
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

it('an account without credits gets 20 answers an hour to yes-or-no questions, with all of its keys together', async () => {
  const { keys } = await createFundedAccount({ credits: 0, keys: 5 });
  let [low, high, answered] = [0, 2 ** 24, 0];
  const refusals = new Set<string>();
  for (let asked = 0; asked < questions; asked++) {
    const middle = Math.floor((low + high) / 2);
    const query = `?q=${catalog.marker}&platform=youtube&min_followers=${middle}`;
    const reply = await call(keys[asked % keys.length]?.key ?? '', paths.search + query);
    if (reply.text.includes('was not run')) {
      expect(reply).toMatchObject({ status: 402, body: { credits_needed: 4, credits_remaining: 0 } });
      refusals.add(reply.text);
      continue;
    }
    answered += 1;
    if (reply.status === 402) low = middle;
    else high = middle;
  }
  expect(answered).toBe(answersInAnHour);
  expect(high - low).toBeGreaterThan(1);
  // With and without a match they are the same.
  expect([...refusals]).toHaveLength(1);
});

it('a client that keeps hanging up on its calls is soon refused, and leaves few rows', async () => {
  const credits = 200;
  const attacker = await createFundedAccount({ credits });
  const request = textOf([large.request('profile', attacker.key)]);
  const statuses: number[] = [];
  const until = performance.now() + attackMs;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      const connection = await WireConnection.open(stack.publicUrl);
      await connection.send(request).catch(() => undefined);
      await pause(randomInt(latestMs));
      connection.reset();
      statuses.push(...connection.answers.map(({ status }) => status));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  expect(await requestsLeftInFlight(stack)).toBe(0);

  const abandoned = await Promise.all(
    stack.internalUrls.gateway.map(async (url) =>
      (await Metrics.of(url)).sum('charged_calls_total', { end: 'abandoned' }),
    ),
  );
  const inAll = abandoned.reduce((sum, count) => sum + count, 0);
  const taken = statuses.filter((status) => status === 200).length;
  const { length: entries } = await admin.ledger(attacker.id);
  process.stdout.write(`hung up: ${JSON.stringify({ calls: statuses.length, inAll, taken, entries })}\n`);
  // Those that it left before their answer; what was being charged at the limit, at each of two gateways; and what it paid.
  expect(inAll).toBeLessThanOrEqual(abandonedInAMinute + 2 * clients + abandonedInADay + credits);
  expect(entries).toBeLessThanOrEqual(1 + 2 * inAll + taken + clients);
  const other = await createFundedAccount({ credits: 1 });
  expect((await call(other.key, profile)).status).toBe(200);
});

it('a client that reads its whole answer and resets the connection at once pays, also while others keep the gateway busy', async () => {
  const reader = await createFundedAccount({ credits: 1_000 });
  const neighbour = await createFundedAccount({ credits: 100_000 });
  const requests = Array.from({ length: 40 }, () => large.request('search', reader.key));
  const target = { path: profile, credits: 1 };
  const noise = await Promise.all(Array.from({ length: 8 }, () => WireConnection.open(stack.publicUrl)));
  for (const connection of noise) {
    await connection.send(textOf(Array.from({ length: 500 }, () => wireRequest(target, neighbour.key))));
  }
  const answers = await Promise.all(
    requests.map(async (request) => {
      const connection = await WireConnection.open(stack.publicUrl);
      await connection.send(request.text);
      await connection.whenAnswered(1).catch(() => []);
      connection.reset();
      return connection.answers;
    }),
  );
  const ledger = await ledgerAftermath(reader.id, deliveriesOf(requests, answers.flat()));
  for (const connection of noise) connection.close();
  process.stdout.write(`read and reset: ${JSON.stringify(ledger)}\n`);
  expect(ledger).toMatchObject(ledgerInOrder);
  expect(ledger.creditsTaken).toBeGreaterThanOrEqual(ledger.creditsArrived);
});
