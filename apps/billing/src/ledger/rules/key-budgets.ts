import { type KeyLimit, leftOfKeyLimit } from '#contracts';
import { type KeyBudget, type KeyState, type StoredCharge } from './ledger-state.js';

/** Credits that a batch has spent with a key in a month, less those that it returned; may be negative. */
export interface SpendingChange {
  readonly keyId: string;
  readonly month: Date;
  readonly credits: number;
}

/** The beginning of the calendar month, UTC. */
export function monthOf(at: Date, later = 0): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later));
}

/** The month of a time, in SQL. */
export function monthSql(at: string): string {
  return `date_trunc('month', ${at}, 'UTC')`;
}

/** A monthly limit as callers see it. */
export function keyLimitOf({ limit, spent }: Pick<KeyBudget, 'limit' | 'spent'>, at: Date): KeyLimit {
  return { limit, spent, resets_at: monthOf(at, 1).toISOString() };
}

function spentInMonth({ limit, spent, since }: KeyBudget, month: number): number {
  if (since.getTime() > month) return limit;
  return since.getTime() === month ? spent : 0;
}

/**
 * The monthly limits of keys in a batch. Pending and posted charges count in the month in which they were made, voided ones do not.
 * The budget of a past month, to which only a clock that was set back leads, is 0: what was spent in it is no longer stored.
 */
export class KeyBudgets {
  private readonly changes = new Map<string, SpendingChange>();

  constructor(
    private readonly keys: ReadonlyMap<string, KeyState>,
    private readonly now: Date,
  ) {}

  hasLimit(keyId: string): boolean {
    return Boolean(this.keys.get(keyId)?.budget);
  }

  allows(keyId: string, credits: number): boolean {
    return credits <= leftOfKeyLimit(this.limitOf(keyId));
  }

  /** The limit of a key with what has been spent of it so far, in this batch too; `undefined` without one. */
  limitOf(keyId: string): KeyLimit | undefined {
    const budget = this.keys.get(keyId)?.budget;
    if (!budget) return undefined;
    const month = monthOf(this.now).getTime();
    const change = this.changes.get(keyId);
    const changed = change?.month.getTime() === month ? change.credits : 0;
    return keyLimitOf({ ...budget, spent: Math.max(0, spentInMonth(budget, month) + changed) }, this.now);
  }

  take({ keyId, credits, keyHasLimit, createdAt }: StoredCharge): void {
    if (keyHasLimit) this.add(keyId, monthOf(createdAt), credits);
  }

  giveBack({ keyId, credits, keyHasLimit, createdAt }: StoredCharge): void {
    if (keyHasLimit) this.add(keyId, monthOf(createdAt), -credits);
  }

  spending(): SpendingChange[] {
    return [...this.changes.values()];
  }

  /** Only the latest month of a key is counted. */
  private add(keyId: string, month: Date, credits: number): void {
    const known = this.changes.get(keyId);
    if (known && known.month > month) return;
    const before = known?.month.getTime() === month.getTime() ? known.credits : 0;
    this.changes.set(keyId, { keyId, month, credits: before + credits });
  }
}
