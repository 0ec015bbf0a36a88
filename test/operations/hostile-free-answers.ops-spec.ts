import { createHash, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '@app/local-stack';
import { Metrics } from '@app/testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type CreditFields, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { ledgerAftermath, ledgerInOrder, requestsLeftInFlight } from './support/aftermath.js';
import { LargeAnswers } from './support/large-answers.js';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf, wireRequest } from './support/wire-requests.js';

// Thousands of calls are made.
jest.setTimeout(30_000);

const followers = 123_456;
/** What finds out an exact number of followers, a bit at a time. */
const questions = 72;
const runInAnHour = 20;
const hungUpInAMinute = 60;
const clients = 40;
const attackMs = 5_000;
const latestMs = 12;

const catalog = new SuiteCatalog();
const account = catalog.account({ platform: 'youtube', handle: catalog.marker, followers });
const creator = catalog.record('target', { name: catalog.marker, platforms: [account] });

let stack: Stack;
let large: LargeAnswers;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 2, catalog: 1, billing: 1 } });
  await catalog.importVisible([creator], new KeyPool());
  large = await LargeAnswers.create(stack.publicUrl);
}, 120_000);

afterAll(() => stack?.stop());

const entriesOf = async ({ id }: TestAccount): Promise<number> => (await admin.ledger(id)).length;

it('an account without credits has 20 answers an hour to yes-or-no questions, with whichever of its keys', async () => {
  const { keys } = await createFundedAccount({ credits: 0, keys: 5 });
  let [low, high, run] = [0, 2 ** 24, 0];
  const refusals = new Set<string>();
  for (let asked = 0; asked < questions; asked++) {
    const middle = Math.floor((low + high) / 2);
    const query = `?q=${catalog.marker}&platform=youtube&min_followers=${middle}`;
    const reply = await api.get<CreditFields>(
      `${paths.search}${query}`,
      keys[asked % keys.length]?.key ?? '',
    );
    if (reply.text.includes('was not run')) {
      expect(reply).toMatchObject({ status: 402, body: { credits_needed: 4, credits_remaining: 0 } });
      refusals.add(reply.text);
      continue;
    }
    run += 1;
    if (reply.status === 402) low = middle;
    else high = middle;
  }
  expect(run).toBe(runInAnHour);
  expect(high - low).toBeGreaterThan(1);
  // With and without a match they are the same.
  expect([...refusals]).toHaveLength(1);
});

it('a profile that was guessed or sought by * is not an unchanged one', async () => {
  const [payer, poor] = [
    await createFundedAccount({ credits: 5 }),
    await createFundedAccount({ credits: 0 }),
  ];
  const paid = await api.get(paths.profile(creator.slug), payer.key);
  const profile = paid.text.replace(/,"credits_used".*$/, '}');
  const guess = createHash('sha256').update(profile).digest('base64url').slice(0, 22);
  const ask = async (tag: string): Promise<number> => {
    const reply = await api.get(paths.profile(creator.slug), poor.key, { headers: { 'if-none-match': tag } });
    return reply.status;
  };
  expect(await ask(`W/"${guess}"`)).toBe(402);
  expect(await ask('*')).toBe(402);
  expect(await ask(String(paid.headers.etag))).toBe(304);
});

it('a client that hangs up on its calls all the time is soon refused, and leaves few rows', async () => {
  const attacker = await createFundedAccount({ credits: 200 });
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
  const entries = await entriesOf(attacker);
  process.stdout.write(`hung up: ${JSON.stringify({ calls: statuses.length, inAll, taken, entries })}\n`);
  // What was being charged when the limit was reached ends as it began, at each of two gateways.
  expect(inAll).toBeLessThanOrEqual(hungUpInAMinute + 2 * clients);
  expect(entries).toBeLessThanOrEqual(1 + 2 * inAll + taken + clients);
  const other = await createFundedAccount({ credits: 1 });
  expect((await api.get(paths.profile(creator.slug), other.key)).status).toBe(200);
});

it('a client that reads its answer whole and resets the connection at once pays, while others keep the gateway busy', async () => {
  const reader = await createFundedAccount({ credits: 1_000 });
  const neighbour = await createFundedAccount({ credits: 100_000 });
  const requests = Array.from({ length: 40 }, () => large.request('search', reader.key));
  const target = { path: paths.profile(creator.slug), credits: 1 };
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
