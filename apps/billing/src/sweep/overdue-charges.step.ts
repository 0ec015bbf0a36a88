import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { autocommitQuery, type Query } from '../database/query.js';
import { voidOverdueCharges } from '../ledger/overdue-charges.js';
import { AccountBatches } from '../sweep-steps/account-batches.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

const dueSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM charges
    WHERE state = 'pending' AND pending_until <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY pending_until LIMIT $1
  ) AS overdue`;

/** Voids the charges that nobody settled in time: their credits are back already, the entries say so from now on. */
@Injectable()
export class OverdueChargesStep implements SweepStep {
  readonly name = 'overdue charges';
  private readonly batches: AccountBatches;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.batches = new AccountBatches(dataSource, {
      name: this.name,
      due: (batchSize, except) => overdueAccounts(autocommitQuery(dataSource), batchSize, except),
      apply: voidOverdueCharges,
    });
  }

  run(batchSize: number): Promise<number> {
    return this.batches.run(batchSize);
  }
}

async function overdueAccounts(query: Query, batchSize: number, except: string[]): Promise<string[]> {
  const rows = await query<{ account_id: string }>(dueSql, [batchSize, except]);
  return rows.map((row) => row.account_id);
}
