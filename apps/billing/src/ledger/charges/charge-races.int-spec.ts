import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { type ChargeReply } from '#contracts';
import { ledgerRuns, until } from '#testing';
import fc from 'fast-check';
import { minuteMs, dayMs } from '../../durations.js';
import { ApiKeysService } from '../../accounts/keys/api-keys.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { marks } from '../histories/commands.fixture.js';
import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const ledger = useAuditedLedger();
const charged = (used: number, left: number) => ({
  outcome: 'charged',
  credits_used: used,
  credits_remaining: left,
});

describe('another replica that waits for the account before a charge', () => {
  const startAt = Date.UTC(2026, 0, 1);
  const other = () => ledger.replica(1);
  /** A charge of 2 credits of 20, in two lots. */
  interface Race {
    readonly customer: Customer;
    readonly id: string;
  }

  type Rival = (race: Race) => Promise<unknown>;

  const marked = ({ customer, id }: Race) => ({
    ...customer.request(2, id),
    ...marks(customer.keyId, { idempotencyKey: 'order 1', content: 'a search' }),
  });

  const rivals: [what: string, rival: Rival, reply: ChargeReply | object, left: number][] = [
    [
      'takes the last credits',
      ({ customer }) => customer.charge(other(), 19),
      {
        outcome: 'insufficient_credits',
        credits_needed: 2,
        credits_remaining: 1,
      },
      1,
    ],
    ['takes some credits', ({ customer }) => customer.charge(other(), 2), charged(2, 16), 16],
    ['empties the first lot', ({ customer }) => customer.charge(other(), 10), charged(2, 8), 8],
    [
      'buys credits',
      ({ customer: { accountId } }) => ledger.factory.lot({ accountId, credits: 5 }),
      charged(2, 23),
      23,
    ],
    [
      'suspends the account',
      ({ customer: { accountId: account_id } }) =>
        ledger.get(AccountsService).suspend({ account_id, reason: 'fraud' }),
      { outcome: 'key_revoked' },
      20,
    ],
    [
      'has the lots expire',
      () => ledger.factory.setClock(new Date(startAt + 30 * dayMs)),
      {
        outcome: 'insufficient_credits',
        credits_needed: 2,
        credits_remaining: 0,
      },
      0,
    ],
    [
      'revokes the key',
      ({ customer: { accountId, keyId } }) =>
        ledger.get(ApiKeysService).remove({ account_id: accountId, key_id: keyId }),
      { outcome: 'key_revoked' },
      20,
    ],
    [
      'lets the key expire',
      ({ customer: { accountId, keyId } }) =>
        ledger.ownerTransactions.run([accountId], ({ query, now }) =>
          query('expire key', 'UPDATE api_keys SET expires_at = $2 WHERE id = $1', [keyId, now]),
        ),
      { outcome: 'key_revoked' },
      20,
    ],
    [
      'limits what the key may spend',
      ({ customer: { accountId: account_id, keyId: key_id } }) =>
        ledger.get(ApiKeysService).update({ account_id, key_id, monthly_limit: 1 }),
      {
        outcome: 'insufficient_credits',
        credits_needed: 2,
        credits_remaining: 20,
        key_limit: { limit: 1, spent: 0, resets_at: '2026-02-01T00:00:00.000Z' },
        key_limit_resets_at: '2026-02-01T00:00:00.000Z',
      },
      20,
    ],
    [
      'voids the charge',
      ({ customer, id }) => customer.settle(other(), id, 'voided'),
      { outcome: 'voided' },
      20,
    ],
    ['makes the same charge', ({ customer, id }) => customer.charge(other(), 2, id), charged(2, 18), 18],
    [
      'pays the same call',
      (race) => other().charge({ ...marked(race), charge_id: randomUUID() }),
      { outcome: 'earlier_call_pending' },
      18,
    ],
  ];

  async function race(): Promise<Race> {
    await ledger.factory.setClock(new Date(startAt));
    const customer = await ledger.customer(9);
    await ledger.factory.lot({ accountId: customer.accountId, credits: 11 });
    return { customer, id: randomUUID() };
  }

  it.each(rivals)('%s: it is decided on what is there then', async (_what, rival, reply, left) => {
    const raced = await race();
    const { accountId } = raced.customer;
    let charge: Promise<ChargeReply> | undefined;
    let first: Promise<unknown> | undefined;
    await ledger.ownerTransactions.run([accountId], async () => {
      let ended = 0;
      first = rival(raced).finally(() => ended++);
      await until(async () => (await ledger.lockWaiters()) + ended === 1);
      charge = ledger.replica(0).charge(marked(raced));
      await until(async () => (await ledger.lockWaiters()) + ended === 2);
    });
    await first;
    expect(await charge).toEqual(reply);
    expect(await ledger.balance(accountId)).toBe(left);
  });
});

const requests = 400;
const { runs, seed } = ledgerRuns(3);

interface Trial {
  readonly cost: number;
  /** How many calls the credits are enough for; one credit more would be enough for another. */
  readonly affordable: number;
  /** Over how many lots the credits are spread. */
  readonly lots: number;
  /** The requests come in so many waves, a turn of the event loop apart. */
  readonly waves: number;
}

const lastCredit: Trial = { cost: 1, affordable: 1, lots: 1, waves: 1 };
const trials: fc.Arbitrary<Trial> = fc.record({
  cost: fc.integer({ min: 1, max: 11 }),
  affordable: fc.integer({ min: 0, max: 120 }),
  lots: fc.integer({ min: 1, max: 5 }),
  waves: fc.constantFrom(1, 4, 50),
});

async function customerWith(credits: number, lots: number): Promise<Customer> {
  const customer = await ledger.customer(0);
  const { accountId } = customer;
  for (let lot = 0; lot < lots; lot++) {
    const part = Math.floor((credits + lot) / lots);
    const purchasedAt = new Date(Date.now() - (lot + 1) * minuteMs);
    if (part > 0) await ledger.factory.lot({ accountId, credits: part, purchasedAt });
  }
  return customer;
}

/** Reads the balance and the emptiest lot again and again until `work` is done; gives the lowest of both. */
async function lowestDuring(accountId: string, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => (isOver = true));
  let lowest = Number.POSITIVE_INFINITY;
  while (!isOver) {
    const [row] = await ledger.query<{ remaining: number }>(
      'SELECT min(remaining) AS remaining FROM lots WHERE account_id = $1',
      [accountId],
    );
    lowest = Math.min(lowest, await ledger.balance(accountId), row?.remaining ?? 0);
  }
  await done;
  return lowest;
}

const creditsAfter = (reply: ChargeReply): number =>
  'credits_remaining' in reply ? reply.credits_remaining : Number.NaN;

async function play({ cost, affordable, lots, waves }: Trial): Promise<void> {
  const credits = affordable * cost + (cost - 1);
  const customer = await customerWith(credits, lots);
  const charging = Promise.all(
    times(requests, async (number) => {
      for (let wave = 0; wave < number % waves; wave++) await turn();
      return customer.charge(ledger.replica(number), cost);
    }),
  );
  const lowest = await lowestDuring(customer.accountId, charging);
  const calls = await charging;
  const charged = calls.filter(({ reply }) => reply.outcome === 'charged');
  const refused = calls.filter(({ reply }) => reply.outcome === 'insufficient_credits');
  expect([charged.length, refused.length]).toEqual([affordable, requests - affordable]);
  const balances = times(affordable, (number) => credits - (number + 1) * cost);
  expect(charged.map(({ reply }) => creditsAfter(reply)).sort((a, b) => b - a)).toEqual(balances);
  expect(new Set(refused.map(({ reply }) => creditsAfter(reply)))).toEqual(new Set([cost - 1]));
  expect(await ledger.balance(customer.accountId)).toBe(cost - 1);
  expect(lowest).toBeGreaterThanOrEqual(0);
  const settlements = charged.map(({ id }) => customer.settlement(id, 'posted'));
  await ledger.replicas[0].settle({ settlements });
}

it(`the last credits are sold once, however many of ${requests} charges to two replicas want them`, async () => {
  const property = fc.asyncProperty(fc.oneof(fc.constant(lastCredit), trials), play);
  const examples: [Trial][] = [[lastCredit]];
  await fc.assert(property, { numRuns: runs, seed, examples, endOnFailure: true });
}, 3_600_000);

it('many calls at once under one Idempotency-Key are paid once: the others wait until it is posted, and five repeat it then', async () => {
  const customer = await ledger.customer(1_000);
  const calls = times(200, () => ({
    ...customer.request(3),
    ...marks(customer.keyId, { idempotencyKey: 'order 1', content: 'a search' }),
  }));
  const send = (some: typeof calls) =>
    Promise.all(
      some.map(async (call, number) => {
        const reply = await ledger.replica(number).charge(call);
        return reply.outcome === 'charged' ? reply.credits_used : reply.outcome;
      }),
    );
  const waiting = (count: number) => Array<string>(count).fill('earlier_call_pending');
  const replies = await send(calls.slice(0, 100));
  expect(replies.toSorted()).toEqual([3, ...waiting(99)]);
  await customer.settle(ledger.replica(0), calls[replies.indexOf(3)]?.charge_id ?? '', 'posted');
  expect((await send(calls.slice(100))).sort()).toEqual([0, 0, 0, 0, 0, 3, ...waiting(94)]);
  expect(await ledger.balance(customer.accountId)).toBe(994);
});

it('a charge id belongs to the account that used it first: another one gets a conflict, and cannot settle it, even overdue', async () => {
  const startAt = Date.now();
  await ledger.factory.setClock(new Date(startAt));
  const [customer, stranger] = [await ledger.customer(10), await ledger.customer(10)];
  const [service] = ledger.replicas;
  const { id } = await customer.charge(service, 3);
  const tombstone = randomUUID();
  expect(await customer.settle(service, tombstone, 'voided')).toBe('voided');
  for (const elapsedMs of [0, defaultLedgerOptions.pendingTimeoutMs]) {
    await ledger.factory.setClock(new Date(startAt + elapsedMs));
    for (const used of [id, tombstone]) {
      await expect(stranger.charge(service, 3, used)).rejects.toMatchObject({ code: 'conflict' });
      expect(await stranger.settle(service, used, 'voided')).toBe('unknown_charge');
      expect(await stranger.settle(service, used, 'posted')).toBe('unknown_charge');
    }
    expect(await ledger.query('SELECT state FROM charges')).toEqual([{ state: 'pending' }]);
  }
  expect(await customer.charge(service, 1, tombstone)).toMatchObject({ reply: { outcome: 'voided' } });
  expect(await ledger.balance(customer.accountId)).toBe(10);
});

it('a charge works for an account with more credits than 32 bits can count', async () => {
  const customer = await ledger.customer(2_000_000_000);
  await ledger.factory.lot({ accountId: customer.accountId, credits: 2_000_000_000 });
  const { id, reply } = await customer.charge(ledger.replica(0), 1);
  expect(reply).toMatchObject({ credits_remaining: 3_999_999_999 });
  expect((await customer.charge(ledger.replica(1), 1, id)).reply).toEqual(reply);
});
