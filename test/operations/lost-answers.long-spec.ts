import { type Stack } from '@app/local-stack';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { admin, type LedgerEntry, succeeded } from '../support/admin-api.js';
import { everyThird, LossyProxy } from '../support/lossy-proxy.js';
import { paths } from '../support/public-api.js';
import {
  type AnsweredCall,
  callUntilAnswered,
  type CallReckoning,
  type IntendedCall,
  reckonCalls,
} from '../support/repeated-calls.js';
import { settledLedgers } from '../support/settled-ledgers.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { startOperatedStack } from './support/operated-stack.js';

// test/faults has such clients in `npm test`: there they may also lose credits that a fault explains.
const callCount = Number(process.env.LOST_ANSWERS_CALLS ?? 3_000);
const accountCount = 10;
const keysEach = 5;
const creditsEach = 100_000;
/** Clients at once; those that wait for a repetition hold no connection. */
const clients = 200;
const profileCount = 20;
const settledWithinMs = 30_000;

const catalog = new SuiteCatalog();
const creators = Array.from({ length: profileCount }, (_, number) => catalog.record(String(number)));

let stack: Stack;
let proxy: LossyProxy;

beforeAll(async () => {
  stack = await startOperatedStack({ replicas: { gateway: 2, catalog: 1, billing: 2 } });
  await catalog.importVisible(creators);
}, 120_000);

beforeEach(async () => {
  proxy = await LossyProxy.open(stack.publicUrl, everyThird);
});

afterEach(() => proxy?.close());

afterAll(() => stack?.stop());

function accounts(): Promise<TestAccount[]> {
  return Promise.all(
    Array.from({ length: accountCount }, () => createFundedAccount({ credits: creditsEach, keys: keysEach })),
  );
}

/** Mostly profiles, which no rate limit bounds; each tenth call is a search, of each key in turn. */
function intendedCall(number: number, customers: readonly TestAccount[]): IntendedCall {
  const customer = customers[Math.floor(number / 10) % customers.length];
  const key = customer?.keys[Math.floor(number / 100) % keysEach]?.key ?? '';
  const caller = { accountId: customer?.id ?? '', key };
  if (number % 10 === 0) {
    return { ...caller, path: `${paths.search}?country=${encodeURIComponent(catalog.country)}`, price: 2 };
  }
  return { ...caller, path: paths.profile(creators[number % profileCount]?.slug ?? ''), price: 1 };
}

/** Works through the numbers from 0 with many clients at once. */
async function together<Result>(
  count: number,
  atOnce: number,
  work: (number: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let number = next++; number < count; number = next++) results[number] = await work(number);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, client));
  return results;
}

/** Compares with the ledgers of the accounts, and their balances with the prices. */
async function reckoningOf(
  calls: readonly AnsweredCall[],
  customers: readonly TestAccount[],
): Promise<CallReckoning> {
  const ids = customers.map(({ id }) => id);
  const entries: LedgerEntry[] = [];
  for (const id of ids) entries.push(...(await settledLedgers([id], settledWithinMs)));
  const reckoning = reckonCalls(calls, entries);
  const balances = await Promise.all(ids.map((id) => admin.balance(id)));
  const spent = balances.reduce((sum, balance) => sum + creditsEach - balance, 0);
  expect(spent).toBe(reckoning.priceOfAll);
  return reckoning;
}

function figuresOf({ overpaid, underpaid, foreign, ...figures }: CallReckoning): string {
  const counts = { overpaid: overpaid.length, underpaid: underpaid.length, foreign: foreign.length };
  return JSON.stringify({ ...figures, ...counts });
}

const inOrder = { overpaid: [], underpaid: [], foreign: [] };

describe('a client that loses every third answer and repeats the call under its Idempotency-Key', () => {
  it(`pays once for each of ${callCount} calls`, async () => {
    const customers = await accounts();
    const startedAt = performance.now();
    const calls = await together(callCount, clients, (number) =>
      callUntilAnswered(proxy.origin, intendedCall(number, customers)),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const reckoning = await reckoningOf(calls, customers);
    process.stdout.write(
      `lost answers: ${figuresOf(reckoning)}, lost ${JSON.stringify(proxy.losses)}, ${seconds.toFixed(1)} s\n`,
    );
    expect(reckoning).toMatchObject({ ...inOrder, calls: callCount, creditsTaken: reckoning.priceOfAll });
    expect(reckoning.lost).toBeGreaterThan(callCount / 3);
    expect(reckoning.repeated).toBeGreaterThan(0);
    for (const { reply, price } of calls) {
      const isRepeated = reply.headers['idempotent-replayed'] === 'true';
      expect(reply.body?.credits_used).toBe(isRepeated ? 0 : price);
    }
  }, 600_000);

  it('and keeps profiles fresh pays only for the changes that it has seen', async () => {
    const customers = await accounts();
    const etags = new Map<string, string>();
    let changes = 0;
    let isOver = false;
    const change = async (): Promise<void> => {
      while (!isOver) {
        const creator = creators[changes % profileCount];
        changes += 1;
        const body = { ...creator, tagline: `version ${changes}` };
        succeeded(await admin.call('PUT', `/creators/${creator?.slug}`, body));
      }
    };
    const calls: AnsweredCall[] = [];
    const poll = async (number: number): Promise<void> => {
      const customer = customers[number % accountCount];
      const slug = creators[number]?.slug ?? '';
      const caller = { accountId: customer?.id ?? '', key: customer?.key ?? '' };
      const call = { ...caller, path: paths.profile(slug), price: 1, etag: etags.get(slug) };
      const answered = await callUntilAnswered(proxy.origin, call);
      etags.set(slug, answered.reply.headers.etag ?? '');
      calls.push(answered);
    };
    const changing = change();
    const polls = Math.ceil(callCount / 5 / profileCount);
    await together(profileCount, profileCount, async (number) => {
      for (let count = 0; count < polls; count++) await poll(number);
    }).finally(() => (isOver = true));
    await changing;
    // Once for the last changes, and once without changes.
    await together(profileCount, profileCount, poll);
    await together(profileCount, profileCount, poll);
    const reckoning = await reckoningOf(calls, customers);
    const seen = calls.filter(({ reply }) => reply.status === 200);
    process.stdout.write(
      `fresh profiles: ${figuresOf(reckoning)}, ${changes} changes, ${seen.length} seen, ${calls.length - seen.length} times unchanged\n`,
    );
    expect(reckoning).toMatchObject({ ...inOrder, creditsTaken: seen.length });
    expect(seen.length).toBeGreaterThan(profileCount);
    expect(seen.length).toBeLessThanOrEqual(changes + profileCount);
    expect(calls.slice(-profileCount).map(({ reply }) => reply.status)).toEqual(creators.map(() => 304));
  }, 300_000);
});
