import { setImmediate as turn } from 'node:timers/promises';
import { type ChargeReply } from '#contracts';
import { ledgerRuns } from '#testing';
import fc from 'fast-check';
import { type Customer, times, useAuditedLedger } from '../ledger.fixture.js';

const requests = 400;
const minuteMs = 60_000;
const { runs, seed } = ledgerRuns(3);

const ledger = useAuditedLedger();

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

describe('many charges at once', () => {
  it(`sell the last credits once, however many of ${requests} charges to two replicas want them`, async () => {
    const property = fc.asyncProperty(fc.oneof(fc.constant(lastCredit), trials), play);
    const examples: [Trial][] = [[lastCredit]];
    await fc.assert(property, { numRuns: runs, seed, examples, endOnFailure: true });
  }, 3_600_000);

  it('share a few transactions: those that wait are committed together', async () => {
    const customer = await ledger.customer(1_000);
    await Promise.all(times(500, () => customer.charge(ledger.replica(0), 1)));
    const [row] = await ledger.query<{ transactions: number }>(
      'SELECT count(DISTINCT xmin::text)::integer AS transactions FROM charges WHERE account_id = $1',
      [customer.accountId],
    );
    expect(row?.transactions).toBeLessThanOrEqual(3);
  });
});

it('a revoked key is not charged once its revocation has committed, however many calls are in progress', async () => {
  const customer = await ledger.customer(100_000);
  let revoked = false;
  const callsAfter: ChargeReply['outcome'][] = [];
  const load = times(8, async (n) => {
    for (let call = 0; call < 25; call++) {
      const sentAfter = revoked;
      const { reply } = await customer.charge(ledger.replica(n), 1);
      if (sentAfter) callsAfter.push(reply.outcome);
    }
  });
  await customer.charge(ledger.replica(0), 1);
  await ledger.factory.switchOff(customer.keyId);
  revoked = true;
  await Promise.all(load);
  expect(callsAfter.length).toBeGreaterThan(0);
  expect(new Set(callsAfter)).toEqual(new Set(['key_revoked']));
});
