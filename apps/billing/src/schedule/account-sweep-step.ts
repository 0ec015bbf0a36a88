import { Logger } from '@nestjs/common';
import { databaseCode, isDatabaseUnavailable } from '#platform';
import { type StatementName } from '#platform/database';
import {
  type AccountTransactions,
  type LockedAccounts,
  type LockOptions,
} from '../database/account-transactions.js';
import { type SweepStep } from './sweep.service.js';

/** At the end of a sweep, this many accounts locked by other transactions are waited for, each for this long. */
const busyTriesMax = 5;
const busyWaitMs = 100;
/** Consecutive failing accounts of a batch that point to the database, not to the accounts. */
const failuresMax = 5;

/** A statement time-out, a serialization failure, a deadlock: one account may be the cause. */
const ofOneTransaction = new Set(['57014', '40001', '40P01']);
const lockNotAvailable = '55P03';

/**
 * Due work by account, in one transaction per batch of accounts, skipping those locked by other transactions. When a
 * batch fails, its accounts are tried one by one. An account that fails by itself is logged and left out until the next
 * sweep, like one that stays locked: no account keeps the others from being swept.
 */
export abstract class AccountSweepStep implements SweepStep {
  abstract readonly name: StatementName;
  private readonly leftOut = new Set<string>();
  /** Accounts left out because another transaction had locked them. */
  private readonly busy = new Set<string>();
  private busyTries = 0;

  constructor(private readonly transactions: AccountTransactions) {}

  /** Accounts with due work, without those in `except`; empty when nothing is left. */
  protected abstract due(batchSize: number, except: string[]): Promise<string[]>;

  /** The accounts that a statement finds: at most `$1`, as `account_id`, without those in `$2`. */
  protected async accountsBy(sql: string, batchSize: number, except: string[]): Promise<string[]> {
    const { query } = this.transactions.database;
    const name = `select ${this.name}` as const;
    const rows = await query<{ account_id: string }>(name, sql, [batchSize, except]);
    return rows.map(({ account_id }) => account_id);
  }

  /** Reads again what is due for the locked accounts and does it; returns the number of items. */
  protected abstract apply(locked: LockedAccounts, batchSize: number): Promise<number>;

  /** Does one batch and returns its number of items; 0: nothing is left, except for accounts left out. */
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

  /** Finally waits for some of the locked accounts: one that calls all the time is never found unlocked. */
  private async finish(batchSize: number): Promise<number> {
    for (const accountId of this.busy) {
      if (++this.busyTries > busyTriesMax) break;
      this.busy.delete(accountId);
      const done = await this.applyWithRetry(accountId, batchSize);
      if (done > 0) return done;
    }
    this.leftOut.clear();
    this.busy.clear();
    this.busyTries = 0;
    return 0;
  }

  private async applyWithRetry(accountId: string, batchSize: number): Promise<number> {
    try {
      return await this.applyTo([accountId], batchSize, { lockTimeoutMs: busyWaitMs });
    } catch (error) {
      if (databaseCode(error) !== lockNotAvailable) this.leaveOut(accountId, error);
      return 0;
    }
  }

  /** Rethrows an error that the account did not cause. */
  private leaveOut(accountId: string, error: unknown): void {
    if (concernsAll(error)) throw error;
    this.leftOut.add(accountId);
    new Logger(this.name).error(new Error(`Account ${accountId} cannot be swept.`, { cause: error }));
  }
}

function concernsAll(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !ofOneTransaction.has(databaseCode(error) ?? '');
}
