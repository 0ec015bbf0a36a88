import { Injectable, Logger } from '@nestjs/common';
import { databaseCode, isDatabaseUnavailable } from '#platform';
import { type StatementName } from '#platform/database';
import { AccountTransactions, type LockedAccounts } from '../database/account-transactions.js';
import { type SweepStep } from './sweep.service.js';

/** Few enough for a sweep to stop soon. */
const accountsMax = 50;
/** Waits for the lock of an account in constant use, which is never found unlocked. */
const lockTimeoutMs = 100;
/** Consecutive failing accounts that point to the database, not to the accounts. */
const failuresMax = 5;

/** A statement time-out, a serialization failure, a deadlock: one account may be the cause. */
const ofOneTransaction = new Set(['57014', '40001', '40P01']);
const lockNotAvailable = '55P03';

/**
 * Due work by account, one after the other, each in a transaction of its own. An account that fails is logged and left out until the
 * next sweep, like one that stays locked: no account keeps the others from being swept.
 */
@Injectable()
export abstract class AccountSweepStep implements SweepStep {
  abstract readonly name: StatementName;
  /** Finds accounts with due work: at most `$1`, as `account_id`, without those in `$2`. */
  protected abstract readonly dueSql: string;
  private readonly leftOut = new Set<string>();
  private failures = 0;

  constructor(private readonly transactions: AccountTransactions) {}

  /** Reads again what is due for the locked account and does it; returns the number of items. */
  protected abstract apply(locked: LockedAccounts, batchSize: number): Promise<number>;

  /** Does one batch and returns its number of items; 0: nothing is left, except for accounts left out. */
  async run(batchSize: number): Promise<number> {
    const { query } = this.transactions.database;
    for (;;) {
      const parameters = [Math.min(batchSize, accountsMax), [...this.leftOut]];
      const due = await query<{ account_id: string }>(
        `select ${this.name}` as const,
        this.dueSql,
        parameters,
      );
      let done = 0;
      for (const { account_id } of due) done += await this.applyTo(account_id, batchSize);
      if (done > 0) return done;
      if (due.length > 0) continue;
      this.leftOut.clear();
      return 0;
    }
  }

  /** Throws an error that the account did not cause. */
  private async applyTo(accountId: string, batchSize: number): Promise<number> {
    try {
      const apply = (locked: LockedAccounts) => this.apply(locked, batchSize);
      const done = await this.transactions.run([accountId], apply, { lockTimeoutMs });
      this.failures = 0;
      if (done === 0) this.leftOut.add(accountId);
      return done;
    } catch (error) {
      this.leftOut.add(accountId);
      if (databaseCode(error) === lockNotAvailable) return 0;
      this.failures += 1;
      if (concernsAll(error) || this.failures > failuresMax) throw error;
      new Logger(this.name).error(new Error(`Account ${accountId} cannot be swept.`, { cause: error }));
      return 0;
    }
  }
}

function concernsAll(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ofOneTransaction.has(databaseCode(error) ?? '');
}
