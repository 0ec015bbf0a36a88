import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { type LockedAccounts } from '../database/locked-accounts.js';
import { autocommitQuery, type Query } from '../database/query.js';
import { insertEntries } from '../ledger/entries.repository.js';
import { AccountBatches } from '../sweep-steps/account-batches.js';
import { type SweepStep } from '../sweep-steps/sweep-step.js';

const dueSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM lots
    WHERE remaining > 0 AND expires_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY expires_at LIMIT $1
  ) AS expired`;

const expiredLots = `
  SELECT id, account_id, remaining FROM lots
  WHERE account_id = ANY($1::uuid[]) AND remaining > 0 AND expires_at <= $2
  ORDER BY expires_at LIMIT $3`;

/** Writes off what is left in expired lots; nobody could spend it any more since the instant of their expiry. */
@Injectable()
export class ExpiredLotsStep implements SweepStep {
  readonly name = 'expired lots';
  private readonly batches: AccountBatches;

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.batches = new AccountBatches(dataSource, {
      name: this.name,
      due: (batchSize, except) => accountsWithExpiredLots(autocommitQuery(dataSource), batchSize, except),
      apply: expireLots,
    });
  }

  run(batchSize: number): Promise<number> {
    return this.batches.run(batchSize);
  }
}

async function accountsWithExpiredLots(query: Query, batchSize: number, except: string[]): Promise<string[]> {
  const rows = await query<{ account_id: string }>(dueSql, [batchSize, except]);
  return rows.map((row) => row.account_id);
}

async function expireLots(locked: LockedAccounts, batchSize: number): Promise<number> {
  const { now, accountIds, query } = locked;
  const lots = await query<{ id: string; account_id: string; remaining: number }>(expiredLots, [
    [...accountIds],
    now,
    batchSize,
  ]);
  await insertEntries(
    locked,
    lots.map((lot) => ({
      accountId: lot.account_id,
      lotId: lot.id,
      type: 'expiry' as const,
      credits: -lot.remaining,
    })),
  );
  return lots.length;
}
