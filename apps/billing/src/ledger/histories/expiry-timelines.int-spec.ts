import { TransactionRunner } from '@app/platform/database';
import { randomUUID } from 'node:crypto';
import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { AuditService } from '../../reports/audit/audit.service.js';
import { ExpiredLotsStep } from '../lots/expired-lots.step.js';
import { OverdueChargesStep } from '../charges/overdue-charges.step.js';
import { SweepService } from '../../schedule/sweep.service.js';
import { moveClock } from './clock.fixture.js';
import { type Answer, Tally } from './histories.fixture.js';
import { type Customer, openLedger, type LedgerFixture } from '../ledger.fixture.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';

const { pendingTimeoutMs } = defaultLedgerOptions;
const lifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const yearMs = 365 * 24 * 60 * 60 * 1_000;
const { runs, seed } = ledgerRuns(10);

const calls = 5;

type Step =
  | { readonly kind: 'purchase'; readonly credits: number; readonly expiresInMs: number }
  | { readonly kind: 'charge'; readonly call: number }
  | { readonly kind: 'settle'; readonly call: number; readonly outcome: 'posted' | 'voided' }
  | { readonly kind: 'advance'; readonly ms: number }
  /** To the next time-out or expiry, and a little beside it. */
  | { readonly kind: 'advance_to_edge'; readonly besideMs: number };

const call = fc.nat(calls - 1);
/** Lots that expire before, with and after the time-out of a hold on them. */
const purchase = fc.record({
  kind: fc.constant('purchase' as const),
  credits: fc.integer({ min: 1, max: 7 }),
  expiresInMs: fc.constantFrom(0, 5_000, 10_000, 20_000, 29_999, 30_000, 30_001, lifetimeMs),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: purchase },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('charge' as const), call }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      call,
      outcome: fc.constantFrom('posted' as const, 'voided' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(1, 5_000, 10_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('advance_to_edge' as const),
      besideMs: fc.constantFrom(-1, 0, 1),
    }),
  },
);
/** A hold on a lot that expires before the hold is settled, or with its time-out. */
const straddle = fc
  .record({
    call,
    afterMs: fc.constantFrom(10_000, 29_999, 30_000),
    outcome: fc.constantFrom('posted', 'voided'),
  })
  .map(({ call, afterMs, outcome }): Step[] => [
    { kind: 'purchase', credits: 5, expiresInMs: 10_000 },
    { kind: 'charge', call },
    { kind: 'advance', ms: afterMs },
    { kind: 'settle', call, outcome },
  ]);
const timelines = fc
  .tuple(
    fc.array(purchase, { minLength: 1, maxLength: 3 }),
    straddle,
    fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
  )
  .map((parts): Step[] => parts.flat());

/** What has been written down about an account: where all the credits that it bought are. */
interface Credits {
  readonly bought: number;
  readonly posted: number;
  readonly pending: number;
  readonly expired: number;
  readonly remaining: number;
}

/** A ledger on a database of its own, and one customer on it per timeline. */
class Side {
  private customer: Customer;

  private constructor(
    readonly ledger: LedgerFixture,
    private readonly sweeper: SweepService,
  ) {}

  static async open(): Promise<Side> {
    const ledger = await openLedger();
    await ledger.factory.setClock(new Date(0));
    const steps = [ledger.get(OverdueChargesStep), ledger.get(ExpiredLotsStep)];
    return new Side(ledger, new SweepService(ledger.get(TransactionRunner), defaultLedgerOptions, steps));
  }

  async begin(): Promise<void> {
    this.customer = await this.ledger.customer(0);
  }

  async purchase(id: string, credits: number, purchasedAt: number): Promise<void> {
    const { accountId } = this.customer;
    await this.ledger.factory.lot({ id, accountId, credits, purchasedAt: new Date(purchasedAt) });
  }

  async send(command: Extract<Step, { call: number }>, id: string): Promise<Answer | undefined> {
    const service = this.ledger.replicas[command.call % 2 === 0 ? 0 : 1];
    if (command.kind === 'settle') return this.customer.settle(service, id, command.outcome);
    return (await this.customer.charge(service, costOf(command.call), id)).reply;
  }

  async sweep(): Promise<void> {
    expect(Object.keys(await this.sweeper.sweep())).toHaveLength(2);
  }

  balance(): Promise<number> {
    return this.ledger.balance(this.customer.accountId);
  }

  async credits(): Promise<Credits | undefined> {
    const [row] = await this.ledger.query<Credits>(
      `SELECT
         (SELECT COALESCE(sum(credits), 0)::integer FROM lots WHERE account_id = $1) AS bought,
         (SELECT COALESCE(sum(remaining), 0)::integer FROM lots WHERE account_id = $1) AS remaining,
         (SELECT COALESCE(-sum(credits), 0)::integer FROM ledger_entries
          WHERE account_id = $1 AND type = 'expiry') AS expired,
         COALESCE(sum(credits) FILTER (WHERE state = 'posted'), 0)::integer AS posted,
         COALESCE(sum(credits) FILTER (WHERE state = 'pending'), 0)::integer AS pending
       FROM charges WHERE account_id = $1`,
      [this.customer.accountId],
    );
    return row;
  }

  /** Every lot with what it has left and what was ever moved, by type: a sweep may come late, but it moves the same. */
  lots(): Promise<unknown[]> {
    return this.ledger.query(
      `SELECT lots.id, remaining, type, sum(entries.credits)::integer AS moved
       FROM lots JOIN ledger_entries AS entries ON entries.lot_id = lots.id
       WHERE lots.account_id = $1 GROUP BY lots.id, type ORDER BY lots.id, type`,
      [this.customer.accountId],
    );
  }

  /** Charges that were taken from a lot at its expiry or later. */
  takenLate(): Promise<unknown[]> {
    return this.ledger.query(
      `SELECT charges.id FROM charges
       JOIN ledger_entries AS entries ON entries.charge_id = charges.id AND entries.type = 'charge'
       JOIN lots ON lots.id = entries.lot_id
       WHERE charges.account_id = $1
         AND (charges.created_at >= lots.expires_at OR entries.created_at >= lots.expires_at)`,
      [this.customer.accountId],
    );
  }

  /** How the holds ended that were pending when a lot of theirs expired. */
  async straddling(): Promise<string[]> {
    const rows = await this.ledger.query<{ end: string }>(
      `SELECT DISTINCT charges.id, COALESCE(void_reason, state) AS end FROM charges
       JOIN ledger_entries AS entries ON entries.charge_id = charges.id AND entries.type = 'charge'
       JOIN lots ON lots.id = entries.lot_id
       WHERE charges.account_id = $1 AND lots.expires_at <= COALESCE(settled_at, ledger_now())`,
      [this.customer.accountId],
    );
    return rows.map(({ end }) => end);
  }
}

let swept: Side;
let unswept: Side;

beforeAll(async () => {
  [swept, unswept] = await Promise.all([Side.open(), Side.open()]);
});

afterAll(() => Promise.all([swept.ledger.close(), unswept.ledger.close()]));

/** What a call costs follows from its number, so that a repeated one is the same call. */
function costOf(number: number): number {
  return 1 + (number % 5);
}

/** Does the same on both sides and insists that both give the same. */
async function onBoth<Result>(work: (side: Side) => Promise<Result>): Promise<Result> {
  const [first, second] = await Promise.all([work(swept), work(unswept)]);
  expect(second).toEqual(first);
  return first;
}

/** Plays a timeline on both sides; only one of them is swept. */
class Timeline {
  private readonly edges: number[] = [];
  private readonly ids = Array.from({ length: calls }, () => randomUUID());

  constructor(
    private now: number,
    private readonly tally: Tally,
  ) {}

  async play(steps: readonly Step[]): Promise<void> {
    await this.goTo(this.now);
    await Promise.all([swept.begin(), unswept.begin()]);
    for (const step of steps) {
      await this.playStep(step);
      await swept.sweep();
      await onBoth((side) => side.balance());
      await Promise.all([checkCredits(swept), checkCredits(unswept)]);
    }
    await this.finish(0);
    await this.finish(pendingTimeoutMs);
    await this.finish(lifetimeMs);
  }

  /** Goes on for a while and sweeps both sides. */
  private async finish(ms: number): Promise<void> {
    await this.goTo(this.now + ms);
    await Promise.all([swept.sweep(), unswept.sweep()]);
    await onBoth((side) => side.balance());
    await onBoth((side) => side.lots());
    await onBoth((side) => side.credits());
    expect(await onBoth((side) => side.takenLate())).toEqual([]);
    await checkCredits(swept);
  }

  private async playStep(step: Step): Promise<void> {
    if (step.kind === 'purchase') {
      const [id, purchasedAt] = [randomUUID(), this.now + step.expiresInMs - lifetimeMs];
      this.edges.push(this.now + step.expiresInMs);
      await onBoth((side) => side.purchase(id, step.credits, purchasedAt));
    } else if (step.kind === 'charge' || step.kind === 'settle') {
      const answer = await onBoth((side) => side.send(step, this.ids[step.call] ?? ''));
      if (answer) this.tally.count(answer);
      if (step.kind === 'charge') this.edges.push(this.now + pendingTimeoutMs);
    } else if (step.kind === 'advance') {
      await this.goTo(this.now + step.ms);
    } else {
      const edge = Math.min(...this.edges.filter((at) => at > this.now), this.now + pendingTimeoutMs);
      await this.goTo(Math.max(this.now, edge + step.besideMs));
    }
  }

  private async goTo(at: number): Promise<void> {
    this.now = at;
    await onBoth((side) => moveClock(side.ledger, at));
  }
}

/** No credit is lost and none is made. */
async function checkCredits(side: Side): Promise<void> {
  const credits = await side.credits();
  if (!credits) throw new Error('the credits gave no row');
  const { bought, posted, pending, expired, remaining } = credits;
  expect({ credits, sum: posted + pending + expired + remaining }).toEqual({ credits, sum: bought });
}

describe('lots that expire under pending charges', () => {
  it('are the same, with every answer and balance, whether a sweep runs at every step or only at the end', async () => {
    const [tally, straddling] = [new Tally(), new Map<string, number>()];
    let startAt = Date.UTC(2025, 0, 1);
    const property = fc.asyncProperty(timelines, async (steps) => {
      startAt += yearMs;
      await new Timeline(startAt, tally).play(steps);
      for (const end of await swept.straddling()) straddling.set(end, (straddling.get(end) ?? 0) + 1);
    });
    await fc.assert(property, { numRuns: runs, seed });
    for (const { ledger } of [swept, unswept]) {
      const audit = ledger.get(AuditService);
      expect((await audit.audit()).discrepancies).toEqual([]);
    }
    const ends = [...straddling].sort().map(([end, count]) => `${end} ${count}`);
    process.stdout.write(
      `expiry: ${runs} timelines; holds over an expiry: ${ends.join(', ')}; ${tally.toString()}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});
