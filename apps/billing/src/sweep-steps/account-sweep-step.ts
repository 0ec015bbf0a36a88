import { Logger } from '@nestjs/common';
import { databaseCode, isDatabaseUnavailable } from '@app/platform';
import {
  type AccountTransactions,
  type LockedAccounts,
  type LockOptions,
} from '../database/account-transactions.js';
import { type SweepStep } from './sweep-step.js';

/** Accounts that somebody else holds are waited for at last: so many of them in a sweep, each for so long. */
const patientTriesMax = 5;
const patienceMs = 100;
/** Accounts that fail one after the other in one batch: then it is the database, not they. */
const failuresMax = 5;

/** A statement that took too long, a serialization failure, a deadlock: they may be the fault of one account. */
const ofOneTransaction = new Set(['57014', '40001', '40P01']);
const lockNotAvailable = '55P03';

/**
 * Due work by account, done in one transaction per batch of accounts, of those that nobody else holds. When that fails, each account is
 * tried alone. One that fails alone is logged; it is left out until the next sweep, and so is one that stays locked: no
 * account keeps the others from being swept.
 */
export abstract class AccountSweepStep implements SweepStep {
  abstract readonly name: string;
  private readonly leftOut = new Set<string>();
  /** Those left out because somebody else held them. */
  private readonly busy = new Set<string>();
  private patientTries = 0;

  constructor(private readonly transactions: AccountTransactions) {}

  /** Accounts with something due, those in `except` left out; none: nothing is left. */
  protected abstract due(batchSize: number, except: string[]): Promise<string[]>;

  /** Does what is due for the locked accounts, having looked again; returns how much. */
  protected abstract apply(locked: LockedAccounts, batchSize: number): Promise<number>;

  /** Does one batch and returns how much that was; 0: nothing is left, but for accounts that are left out. */
  async run(batchSize: number): Promise<number> {
    for (;;) {
      const accountIds = await this.due(batchSize, [...this.leftOut]);
      if (accountIds.length === 0) return this.finish(batchSize);
      const done = await this.applyToAll(accountIds, batchSize);
      if (done > 0) return done;
      for (const accountId of accountIds) this.leftOut.add(accountId);
    }
  }

  private async applyToAll(accountIds: string[], batchSize: number): Promise<number> {
    try {
      return await this.applyTo(accountIds, batchSize, { skipBusy: true });
    } catch (error) {
      if (concernsAll(error)) throw error;
      return this.applyToEach(accountIds, batchSize);
    }
  }

  private applyTo(accountIds: string[], batchSize: number, options: LockOptions): Promise<number> {
    return this.transactions.run(
      accountIds,
      async (locked) => {
        for (const accountId of locked.busyIds) {
          this.leftOut.add(accountId);
          this.busy.add(accountId);
        }
        return this.apply(locked, batchSize);
      },
      options,
    );
  }

  private async applyToEach(accountIds: string[], batchSize: number): Promise<number> {
    let done = 0;
    let failures = 0;
    for (const accountId of accountIds) {
      try {
        done += await this.applyTo([accountId], batchSize, { skipBusy: true });
        failures = 0;
      } catch (error) {
        if (++failures > failuresMax) throw error;
        this.leaveOut(accountId, error);
      }
    }
    return done;
  }

  /** At last some of the busy accounts are waited for: one that calls all the time is never found free. */
  private async finish(batchSize: number): Promise<number> {
    for (const accountId of this.busy) {
      if (++this.patientTries > patientTriesMax) break;
      this.busy.delete(accountId);
      const done = await this.applyPatiently(accountId, batchSize);
      if (done > 0) return done;
    }
    this.leftOut.clear();
    this.busy.clear();
    this.patientTries = 0;
    return 0;
  }

  private async applyPatiently(accountId: string, batchSize: number): Promise<number> {
    try {
      return await this.applyTo([accountId], batchSize, { lockTimeoutMs: patienceMs });
    } catch (error) {
      if (databaseCode(error) !== lockNotAvailable) this.leaveOut(accountId, error);
      return 0;
    }
  }

  /** Throws the error again when it is none of the account's. */
  private leaveOut(accountId: string, error: unknown): void {
    if (concernsAll(error)) throw error;
    this.leftOut.add(accountId);
    new Logger(this.name).error(new Error(`Account ${accountId} cannot be swept.`, { cause: error }));
  }
}

function concernsAll(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ofOneTransaction.has(databaseCode(error) ?? '');
}
