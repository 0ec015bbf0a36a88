import { ledgerRuns } from '@app/testing';
import fc from 'fast-check';
import { ExpiredLotsStep } from '../lots/expired-lots.step.js';
import { moveClock } from './clock.fixture.js';
import { DatabaseLedger } from './database-ledger.fixture.js';
import {
  histories,
  pendingTimeoutMs,
  playHistory,
  Tally,
  type Answer,
  type Command,
  type PlayableLedger,
  type Step,
} from './histories.fixture.js';
import { useAuditedLedger } from '../ledger.fixture.js';
import { expectNothingLost } from './ledger-sums.fixture.js';
import { withProcessClock, type Skew } from './process-clock.fixture.js';
import { SteppedHistory, steppedParts, SteppedTotals } from './stepped-history.fixture.js';

const minuteMs = 60_000;
const lifetimeMs = 30 * 24 * 60 * minuteMs;
const yearMs = 365 * 24 * 60 * minuteMs;
const firstAt = Date.UTC(2025, 0, 1);
const { runs, seed } = ledgerRuns(6);

const ledger = useAuditedLedger();

/** Writes down all that a ledger answers, in words that are the same for every play of a history. */
class RecordedLedger implements PlayableLedger {
  readonly seen: unknown[] = [];
  /** What the database's clock says. */
  now = 0;
  private readonly purchases = new Map<string, number>();

  constructor(private readonly played: DatabaseLedger) {}

  async setClock(at: number): Promise<void> {
    this.now = at;
    await this.played.setClock(at);
  }

  async purchase(account: number, credits: number, purchasedAt: number): Promise<string> {
    const id = await this.played.purchase(account, credits, purchasedAt);
    this.purchases.set(id, purchasedAt);
    return id;
  }

  switchKeyOff(account: number): Promise<void> {
    return this.played.switchKeyOff(account);
  }

  sweep(): Promise<void> {
    return this.played.sweep();
  }

  async apply(commands: Command[]): Promise<Answer[]> {
    const answers = await this.played.apply(commands);
    this.seen.push(answers);
    return answers;
  }

  async balance(account: number): Promise<number> {
    const balance = await this.played.balance(account);
    this.seen.push(balance);
    return balance;
  }

  /** By age: the ids differ, and lots of one age are interchangeable. */
  async lots(account: number): Promise<Record<string, number>> {
    const lots = await this.played.lots(account);
    const byAge = new Map<number, number>();
    for (const [id, remaining] of Object.entries(lots)) {
      const age = this.now - (this.purchases.get(id) ?? Number.NaN);
      byAge.set(age, (byAge.get(age) ?? 0) + remaining);
    }
    this.seen.push([...byAge].sort(([a], [b]) => a - b));
    return lots;
  }
}

/** Clocks of a process beside a database whose clock is right. */
const clocks: Record<string, () => Skew> = {
  '5 minutes fast': () => () => 5 * minuteMs,
  '5 minutes slow': () => () => -5 * minuteMs,
  'jumping by 10 minutes at every reading': () => {
    let reading = 0;
    return () => (reading++ % 2 === 0 ? 5 : -5) * minuteMs;
  },
};

async function play(history: Step[], startAt: number, skew: Skew, tally: Tally): Promise<unknown[]> {
  const recorded = new RecordedLedger(await DatabaseLedger.open(ledger));
  await withProcessClock(
    () => recorded.now,
    skew,
    () => playHistory(recorded, history, startAt, tally),
  );
  return recorded.seen;
}

describe('a process whose clock is wrong', () => {
  it('answers like one whose clock is right: only the clock of PostgreSQL decides', async () => {
    const tally = new Tally();
    let startAt = firstAt;
    const property = fc.asyncProperty(histories(20), async (history) => {
      const right = await play(history, (startAt += yearMs), () => 0, tally);
      for (const skew of Object.values(clocks)) {
        expect(await play(history, (startAt += yearMs), skew(), tally)).toEqual(right);
      }
    });
    await fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(
      `process clocks: ${runs} histories, each with a right clock and ${Object.keys(clocks).join(', ')}; ` +
        `${tally.toString()}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});

describe('a PostgreSQL whose clock steps back', () => {
  it('lets a charge that timed out stay voided', async () => {
    const customer = await ledger.customer(10);
    await ledger.factory.setClock(new Date(firstAt));
    const { id } = await customer.charge(ledger.replicas[0], 3);
    await moveClock(ledger, firstAt + pendingTimeoutMs);
    expect(await customer.settle(ledger.replicas[1], id, 'posted')).toBe('expired');
    await moveClock(ledger, firstAt + pendingTimeoutMs - 2_000);
    expect(await customer.settle(ledger.replicas[0], id, 'posted')).toBe('expired');
    expect((await customer.charge(ledger.replicas[0], 3, id)).reply).toEqual({ outcome: 'voided' });
    expect(await ledger.balance(customer.accountId)).toBe(10);
  });

  it('gives voided credits back to a lot that was written off, which then expires once more', async () => {
    const customer = await ledger.customer(0);
    const { accountId } = customer;
    const sweep = ledger.get(ExpiredLotsStep);
    await ledger.factory.setClock(new Date(firstAt));
    const purchasedAt = new Date(firstAt - lifetimeMs + 10_000);
    await ledger.factory.lot({ accountId, credits: 5, purchasedAt });
    const { id } = await customer.charge(ledger.replicas[0], 2);
    await moveClock(ledger, firstAt + 10_000);
    expect(await sweep.run(100)).toBe(1);
    await moveClock(ledger, firstAt + 8_000);
    expect(await customer.settle(ledger.replicas[1], id, 'voided')).toBe('voided');
    expect(await ledger.balance(accountId)).toBe(2);
    await moveClock(ledger, firstAt + 10_000);
    expect(await sweep.run(100)).toBe(1);
    expect(await expectNothingLost(ledger.query, accountId, 5)).toMatchObject({ expired: 5, reversed: 2 });
  });

  it('by 2 seconds and by an hour: nothing is negative, lost, doubled or decided again', async () => {
    const totals = new SteppedTotals();
    let startAt = firstAt;
    const property = fc.asyncProperty(steppedParts, async (history) => {
      startAt += 2 * yearMs;
      await new SteppedHistory(ledger, await DatabaseLedger.open(ledger), startAt, totals).play(history);
    });
    await fc.assert(property, { numRuns: runs, seed });
    process.stdout.write(
      `steps of PostgreSQL's clock: ${runs} histories; ${totals.toString()}; LEDGER_SEED=${seed}\n`,
    );
  }, 3_600_000);
});
