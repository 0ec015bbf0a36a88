import { ServiceError } from '#contracts';
import { sendAll } from '#platform/database';
import { Injectable } from '@nestjs/common';
import {
  AccountTransactions,
  type LockedAccounts,
  type LockOptions,
} from '../../database/account-transactions.js';
import { AccountSweepStep } from '../../schedule/account-sweep-step.js';
import { ChargeRepository, stateAt } from './charge.repository.js';
import { LedgerBatch } from '../rules/ledger-batch.js';
import { defaultLedgerOptions } from '../rules/ledger-options.js';
import { overdueSql } from '../rules/ledger-state.js';

/** Less than the 5 s after which callers time out. */
const waitMaxMs = 4_000;

/** Charges not settled in time: they count as voided from then on, and are recorded as such here. */
@Injectable()
export class OverdueCharges {
  constructor(
    private readonly transactions: AccountTransactions,
    private readonly charges: ChargeRepository,
  ) {}

  /**
   * Voids at most `max` overdue charges of the locked accounts, oldest first; returns their number. When those were
   * all, the sum of the unexpired lots is the balance afterwards.
   */
  async voidAll(locked: LockedAccounts, max: number): Promise<number> {
    const rows = await this.charges.loadOverdue(locked, [...locked.accountIds], max);
    const batch = new LedgerBatch(stateAt(locked, rows), 0);
    const voided = batch.voidOverdue();
    const statements = this.charges.toStatements(locked, batch.writes());
    await Promise.all(sendAll(locked.query, statements));
    return voided;
  }

  /**
   * The account locks for work that depends on balances: all overdue charges of the accounts are voided first, in
   * earlier transactions where they are too many for one. Throws `unavailable` when that takes longer than a caller
   * waits.
   */
  async runWithAllVoided<Result>(
    accountIds: string | readonly string[],
    work: (locked: LockedAccounts) => Promise<Result>,
    options: LockOptions = {},
  ): Promise<Result> {
    const { overdueMax } = defaultLedgerOptions;
    const until = performance.now() + waitMaxMs;
    while (performance.now() < until) {
      const voidThenWork = async (locked: LockedAccounts): Promise<{ result: Result } | undefined> => {
        const voided = await this.voidAll(locked, overdueMax);
        return voided < overdueMax ? { result: await work(locked) } : undefined;
      };
      const done = await this.transactions.run([accountIds].flat(), voidThenWork, options);
      if (done) return done.result;
    }
    throw new ServiceError('unavailable', 'The account is being brought up to date; try again shortly.');
  }
}

/** Reads the partition of pending charges. */
const overdueAccountsSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM charges
    WHERE ${overdueSql('charges', '(SELECT ledger_now())')} AND account_id <> ALL($2::uuid[])
    ORDER BY pending_until LIMIT $1
  ) AS overdue`;

/** Voids the charges that were not settled in time: balances include their credits already, now the entries do too. */
@Injectable()
export class OverdueChargesStep extends AccountSweepStep {
  readonly name = 'overdue charges';
  protected readonly dueSql = overdueAccountsSql;

  constructor(
    transactions: AccountTransactions,
    private readonly overdue: OverdueCharges,
  ) {
    super(transactions);
  }

  protected apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    return this.overdue.voidAll(locked, batchSize);
  }
}
