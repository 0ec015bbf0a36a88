import fc from 'fast-check';
import { hourMs } from '../../durations.js';
import { LedgerBatch } from './ledger-batch.js';
import { monthOf } from './key-budgets.js';
import { type KeyBudget, type KeyState, type StoredCharge } from './ledger-state.js';

const start = Date.UTC(2026, 0, 30);
const pendingMs = 30_000;
const lot = {
  id: 'lot',
  purchasedAt: new Date(start),
  expiresAt: new Date(start + 1e12),
  remaining: 1_000_000,
};

/** A key with a limit whose writes are kept as the database keeps them. */
class LimitedKey {
  readonly charges = new Map<string, StoredCharge>();
  private budget: KeyBudget;
  private at = start;

  constructor(private readonly limit: number) {
    this.budget = { limit, spent: 0, since: monthOf(new Date(start)) };
  }

  wait(ms: number): void {
    this.at += ms;
  }

  /** Charges and settles in one batch; a number is a charge of so many credits, a name a void of it. */
  apply(work: readonly (number | string)[]): void {
    const now = new Date(this.at);
    const key: KeyState = { accountId: 'one', active: true, budget: this.budget };
    const batch = new LedgerBatch(
      {
        now,
        accountIds: new Set(['one']),
        lots: new Map([['one', [lot]]]),
        keys: new Map([['key', key]]),
        charges: this.charges,
        tombstones: new Map(),
        abandoned: new Map(),
      },
      pendingMs,
    );
    batch.voidOverdue();
    for (const one of work) {
      if (typeof one === 'string') batch.settle({ charge_id: one, account_id: 'one', outcome: 'voided' });
      else this.charge(batch, one);
    }
    const { newCharges, settledCharges, spending } = batch.writes();
    for (const charge of [...newCharges, ...settledCharges]) this.charges.set(charge.id, charge);
    for (const { month, credits } of spending) {
      if (month < this.budget.since) continue;
      const before = month > this.budget.since ? 0 : this.budget.spent;
      this.budget = { limit: this.limit, spent: before + credits, since: month };
    }
  }

  /** The counter, and the sum of what counts in its month. */
  get books(): [counted: number, byCharges: number] {
    return [this.budget.spent, this.spentIn(this.budget.since)];
  }

  spentIn(month: Date): number {
    return [...this.charges.values()]
      .filter(({ state }) => state === 'pending' || state === 'posted')
      .filter(({ createdAt }) => monthOf(createdAt).getTime() === month.getTime())
      .reduce((sum, { credits }) => sum + credits, 0);
  }

  private charge(batch: LedgerBatch, credits: number): void {
    const charge_id = `charge ${this.charges.size} ${this.at} ${credits} ${Math.random()}`;
    const ids = { charge_id, account_id: 'one', key_id: 'key', key_hash: 'hash', request_id: 'r' };
    batch.charge({ ...ids, operation: 'profile', credits });
  }
}

const step = fc.oneof(
  fc.record({ charges: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }) }),
  fc.record({ voids: fc.nat(10) }),
  fc.record({ wait: fc.constantFrom(0, 1, pendingMs - 1, pendingMs, 5 * hourMs, 300 * hourMs) }),
);

it('in any history the pending and posted charges of a month never exceed the limit, and the counter is their sum', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 30 }), (limit, steps) => {
      const key = new LimitedKey(limit);
      for (const one of steps) {
        if ('wait' in one) key.wait(one.wait);
        else if ('charges' in one) key.apply(one.charges);
        else key.apply([[...key.charges.keys()][one.voids]].flatMap((id) => id ?? []));
        const [counted, byCharges] = key.books;
        expect(counted).toBe(byCharges);
        for (const { createdAt } of key.charges.values()) {
          expect(key.spentIn(monthOf(createdAt))).toBeLessThanOrEqual(limit);
        }
      }
    }),
  );
});
