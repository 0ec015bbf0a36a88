import { randomUUID } from 'node:crypto';
import { type SettlementResult } from '@app/contracts';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { AuditService } from '../../reports/audit/audit.service.js';
import { OverdueChargesStep } from '../charges/overdue-charges.step.js';
import { entriesBackInTime, moveClock } from './clock.fixture.js';
import { type Customer, openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const { pendingTimeoutMs } = defaultLedgerOptions;
const hourMs = 60 * 60 * 1_000;
const holdsPerRound = 75;
const customersPerRound = 6;
/** Holds that are raced for at the same time. */
const racers = 12;
const { runs, seed } = ledgerRuns(120);

/** Where the clock stands beside the time-out while a round is raced; it goes on to the next place on the way. */
const clocks = [[-1], [0], [1], [-3, -2, -1, 0, 1, 2]] as const;

type Result = SettlementResult['result'] | undefined;

interface Plan {
  readonly credits: number;
  readonly customer: number;
  readonly postAt: number;
  readonly voidFirst: boolean;
}

interface Hold extends Plan {
  readonly id: string;
  readonly owner: Customer;
}

/** What a post and a void of the same hold were told. */
interface Told {
  readonly posted: Result;
  readonly voided: Result;
}

interface Stored {
  readonly id: string;
  readonly end: 'pending' | 'posted' | 'given_up' | 'timed_out';
  /** Milliseconds from the time-out to the settlement. */
  readonly lateMs: number;
  readonly charged: number;
  readonly reversed: number;
}

const plans = fc.record({
  credits: fc.integer({ min: 1, max: 5 }),
  customer: fc.nat(customersPerRound - 1),
  postAt: fc.nat(1),
  voidFirst: fc.boolean(),
});

/** The only pairs of answers to a post and a void that an end allows. */
const toldBy: Record<Stored['end'], Told | undefined> = {
  pending: undefined,
  posted: { posted: 'posted', voided: 'already_posted' },
  given_up: { posted: 'voided', voided: 'voided' },
  timed_out: { posted: 'expired', voided: 'voided' },
};

let ledger: LedgerFixture;

beforeAll(async () => {
  ledger = await openLedger();
});

afterAll(() => ledger.close());

/** One customer has more than all holds of a round take; the first lots are small, so that holds go over their edges. */
async function openCustomer(): Promise<Customer> {
  const customer = await ledger.customer(3);
  for (const credits of [7, 11, 5 * holdsPerRound]) {
    await ledger.factory.lot({ accountId: customer.accountId, credits });
  }
  return customer;
}

async function openHolds(of: readonly Plan[]): Promise<Hold[]> {
  const customers = await Promise.all(Array.from({ length: customersPerRound }, openCustomer));
  return Promise.all(
    of.map(async (plan, number) => {
      const owner = customers[plan.customer];
      if (!owner) throw new Error(`no customer ${plan.customer}`);
      const { id, reply } = await owner.charge(ledger.replica(number), plan.credits, randomUUID());
      expect(reply.outcome).toBe('charged');
      return { ...plan, id, owner };
    }),
  );
}

async function raceFor({ id, owner, postAt, voidFirst }: Hold): Promise<Told> {
  const post = () => owner.settle(ledger.replica(postAt), id, 'posted');
  const giveUp = () => owner.settle(ledger.replica(postAt + 1), id, 'voided');
  if (voidFirst) {
    const [voided, posted] = await Promise.all([giveUp(), post()]);
    return { posted, voided };
  }
  const [posted, voided] = await Promise.all([post(), giveUp()]);
  return { posted, voided };
}

/** Races for all holds while two sweeps go on, and moves the clock to each of the `places` with races under way. */
async function race(holds: readonly Hold[], places: readonly number[]): Promise<Map<string, Told>> {
  const told = new Map<string, Told>();
  const waiting = [...holds];
  const moves: Promise<void>[] = [];
  const later = places.map((at, index) => ({ at, from: Math.floor((index * holds.length) / places.length) }));
  later.shift();

  const runRacer = async (): Promise<void> => {
    for (let hold = waiting.shift(); hold; hold = waiting.shift()) {
      told.set(hold.id, await raceFor(hold));
      if (told.size >= (later[0]?.from ?? Infinity)) moves.push(moveClock(ledger, later.shift()?.at ?? 0));
    }
  };
  let over = false;
  const runSweep = async (): Promise<void> => {
    const step = ledger.get(OverdueChargesStep);
    while (!over) await step.run(3);
  };
  const raced = Promise.all(Array.from({ length: racers }, runRacer)).finally(() => (over = true));
  await Promise.all([raced, runSweep(), runSweep()]);
  await Promise.all(moves);
  return told;
}

async function storedEnds(holds: readonly Hold[]): Promise<Stored[]> {
  return ledger.query<Stored>(
    `SELECT charges.id, CASE state WHEN 'voided' THEN void_reason ELSE state END AS end,
       (extract(epoch FROM settled_at - pending_until) * 1000)::float8 AS "lateMs",
       (SELECT COALESCE(-sum(credits), 0)::integer FROM ledger_entries
        WHERE charge_id = charges.id AND type = 'charge') AS charged,
       (SELECT COALESCE(sum(credits), 0)::integer FROM ledger_entries
        WHERE charge_id = charges.id AND type = 'reversal') AS reversed
     FROM charges WHERE id = ANY($1::uuid[]) ORDER BY id`,
    [holds.map(({ id }) => id)],
  );
}

function checkEnds(holds: readonly Hold[], ends: readonly Stored[], told: ReadonlyMap<string, Told>): void {
  expect(ends).toHaveLength(holds.length);
  const creditsOf = new Map(holds.map(({ id, credits }) => [id, credits]));
  for (const { id, end, lateMs, charged, reversed } of ends) {
    expect(toldBy[end]).toBeDefined();
    expect({ end, ...told.get(id) }).toEqual({ end, ...toldBy[end] });
    expect({ end, isLate: lateMs >= 0 }).toEqual({ end, isLate: end === 'timed_out' });
    const credits = creditsOf.get(id);
    expect([end, charged, reversed]).toEqual([end, credits, end === 'posted' ? 0 : credits]);
  }
}

/** What the lots of each customer lack is what the posted holds took. */
async function checkCredits(holds: readonly Hold[], ends: readonly Stored[]): Promise<void> {
  const posted = new Set(ends.filter(({ end }) => end === 'posted').map(({ id }) => id));
  const owners = new Set(holds.map(({ owner }) => owner));
  for (const { accountId } of owners) {
    const [row] = await ledger.query<{ taken: number }>(
      'SELECT sum(credits - remaining)::integer AS taken FROM lots WHERE account_id = $1',
      [accountId],
    );
    const taken = holds.filter((hold) => hold.owner.accountId === accountId && posted.has(hold.id));
    expect(row?.taken).toBe(taken.reduce((sum, { credits }) => sum + credits, 0));
  }
}

/** Long after, the same messages meet the same answers and change nothing. */
async function checkForEver(
  holds: readonly Hold[],
  ends: readonly Stored[],
  told: ReadonlyMap<string, Told>,
): Promise<void> {
  await ledger.get(OverdueChargesStep).run(holdsPerRound);
  const again = await Promise.all(holds.map(async (hold) => [hold.id, await raceFor(hold)] as const));
  expect(new Map(again)).toEqual(new Map(holds.map(({ id }) => [id, told.get(id)])));
  expect(await storedEnds(holds)).toEqual(ends);
}

async function runRound(
  round: number,
  of: readonly Plan[],
  places: readonly number[],
): Promise<readonly Stored[]> {
  const startAt = Date.UTC(2025, 0, 1) + round * hourMs;
  await ledger.factory.setClock(new Date(startAt));
  const holds = await openHolds(of);
  const instants = places.map((besideMs) => startAt + pendingTimeoutMs + besideMs);
  await moveClock(ledger, instants[0] ?? startAt);
  const told = await race(holds, instants);
  const ends = await storedEnds(holds);
  checkEnds(holds, ends, told);
  await checkCredits(holds, ends);
  await moveClock(ledger, startAt + hourMs / 2);
  await checkForEver(holds, ends, told);
  return ends;
}

function count(ends: readonly Stored[], end: Stored['end']): number {
  return ends.filter((one) => one.end === end).length;
}

describe('a charge whose post, void and time-out come together', () => {
  it('ends once, and every answer agrees with that end, before, at and after the time-out', async () => {
    const drawn = fc.sample(plans, { numRuns: runs, seed });
    const endsByClock = clocks.map((): Stored[] => []);
    for (let round = 0; round * holdsPerRound < drawn.length; round++) {
      const clock = round % clocks.length;
      const of = drawn.slice(round * holdsPerRound, (round + 1) * holdsPerRound);
      endsByClock[clock]?.push(...(await runRound(round, of, clocks[clock] ?? [0])));
    }
    const [before, at, after] = endsByClock;
    expect(count(before ?? [], 'timed_out')).toBe(0);
    for (const ends of [at, after]) expect(count(ends ?? [], 'timed_out')).toBe(ends?.length);
    expect(endsByClock.flat()).toHaveLength(runs);
    expect(await entriesBackInTime(ledger)).toEqual([]);
    expect((await ledger.get(AuditService).audit()).discrepancies).toEqual([]);

    const lines = clocks.map((places, index) => {
      const ends = endsByClock[index] ?? [];
      const counts = (['posted', 'given_up', 'timed_out'] as const).map(
        (end) => `${end} ${count(ends, end)}`,
      );
      return `at ${places.join(' to ')} ms: ${counts.join(', ')}`;
    });
    process.stdout.write(`holds at the time-out: ${runs}; ${lines.join('; ')}; LEDGER_SEED=${seed}\n`);
  }, 3_600_000);
});
