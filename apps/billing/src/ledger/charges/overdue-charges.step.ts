import { TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { AccountSweepStep } from '../../schedule/account-sweep-step.js';
import { overdueSql } from '../rules/ledger-state.js';
import { OverdueCharges } from './overdue-charges.js';

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

  constructor(
    transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly overdue: OverdueCharges,
  ) {
    super(transactions);
  }

  protected async due(batchSize: number, except: string[]): Promise<string[]> {
    const { query } = this.database;
    const parameters = [batchSize, except];
    const rows = await query<{ account_id: string }>(
      'select overdue charges',
      overdueAccountsSql,
      parameters,
    );
    return rows.map((row) => row.account_id);
  }

  protected apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    return this.overdue.voidAll(locked, batchSize);
  }
}
