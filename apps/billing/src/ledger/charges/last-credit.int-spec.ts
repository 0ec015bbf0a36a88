import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ChargeReply } from '@app/contracts';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { useAuditedLedger, type Customer } from '../ledger.fixture.js';

const requests = 1_000;
const minuteMs = 60_000;
const { runs, seed } = ledgerRuns(5);

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

/** What all trials together showed. */
class Totals {
  trials = 0;
  onOneCredit = 0;
  lowest = Number.POSITIVE_INFINITY;
  readonly successes: number[] = [];

  toString(): string {
    const each = this.successes.slice(0, 20).join(', ') + (this.successes.length > 20 ? ', ...' : '');
    return (
      `last credits: ${this.trials} trials of ${requests} charges at once, ${this.onOneCredit} of them on one credit; ` +
      `successes per trial ${each}; lowest balance seen ${this.lowest}`
    );
  }
}

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
  let working = true;
  const done = work.finally(() => (working = false));
  let lowest = Number.POSITIVE_INFINITY;
  while (working) {
    const lots = await ledger.query<{ remaining: number }>(
      'SELECT remaining FROM lots WHERE account_id = $1',
      [accountId],
    );
    lowest = Math.min(lowest, await ledger.balance(accountId), ...lots.map(({ remaining }) => remaining));
  }
  await done;
  return lowest;
}

interface Call {
  readonly id: string;
  readonly reply: ChargeReply;
}

async function chargeInWaves(customer: Customer, { cost, waves }: Trial): Promise<Call[]> {
  return Promise.all(
    Array.from({ length: requests }, async (_, request) => {
      for (let turn = 0; turn < request % waves; turn++) await nextTurn();
      return customer.charge(ledger.replicas[request % 2 === 0 ? 0 : 1], cost);
    }),
  );
}

function creditsAfter(reply: ChargeReply): number {
  return 'credits_remaining' in reply ? reply.credits_remaining : Number.NaN;
}

async function play(trial: Trial, totals: Totals): Promise<void> {
  const { cost, affordable, lots } = trial;
  const credits = affordable * cost + (cost - 1);
  const customer = await customerWith(credits, lots);
  const charging = chargeInWaves(customer, trial);
  const lowest = await lowestDuring(customer.accountId, charging);
  const calls = await charging;

  const charged = calls.filter(({ reply }) => reply.outcome === 'charged');
  const refused = calls.filter(({ reply }) => reply.outcome === 'insufficient_credits');
  expect(charged).toHaveLength(affordable);
  expect(refused).toHaveLength(requests - affordable);
  const balances = Array.from({ length: affordable }, (_, n) => credits - (n + 1) * cost);
  expect(charged.map(({ reply }) => creditsAfter(reply)).sort((a, b) => b - a)).toEqual(balances);
  expect(new Set(refused.map(({ reply }) => creditsAfter(reply)))).toEqual(new Set([cost - 1]));
  expect(await ledger.balance(customer.accountId)).toBe(cost - 1);
  expect(lowest).toBeGreaterThanOrEqual(0);
  const settlements = charged.map(({ id }) => customer.settlement(id, 'posted'));
  await ledger.replicas[0].settle({ settlements });

  totals.trials += 1;
  if (credits === 1) totals.onOneCredit += 1;
  totals.lowest = Math.min(totals.lowest, lowest);
  totals.successes.push(charged.length);
}

describe('the last credits of an account', () => {
  it(`are sold once, however many of ${requests} charges to two replicas want them at once`, async () => {
    const totals = new Totals();
    const oneCreditOrAny = fc.oneof(fc.constant(lastCredit), trials);
    const property = fc.asyncProperty(oneCreditOrAny, (trial) => play(trial, totals));
    const parameters = {
      numRuns: runs,
      seed,
      examples: [[lastCredit] satisfies [Trial]],
      endOnFailure: true,
    };
    await fc.assert(property, parameters);
    process.stdout.write(`${totals.toString()}; LEDGER_SEED=${seed}\n`);
  }, 3_600_000);
});
