import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { AccountSweepStep } from '../../schedule/account-sweep-step.js';
import { EntriesRepository } from './entries.repository.js';

/** Served by `lots_to_expire`. */
const expiredAccountsSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM lots
    WHERE remaining > 0 AND expires_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY expires_at LIMIT $1
  ) AS expired`;

/** Served by `lots_of_account`. */
const expiredLotsSql = `
  SELECT id, account_id, remaining FROM lots
  WHERE account_id = ANY($1::uuid[]) AND remaining > 0 AND expires_at <= $2
  ORDER BY expires_at LIMIT $3`;

interface ExpiredLot {
  readonly id: string;
  readonly account_id: string;
  readonly remaining: number;
}

/** Writes off the rest of expired lots; it could not be spent since the instant of their expiry. */
@Injectable()
export class ExpiredLotsStep extends AccountSweepStep {
  readonly name = 'expired lots';

  constructor(
    transactions: AccountTransactions,
    private readonly database: TransactionRunner,
    private readonly entries: EntriesRepository,
  ) {
    super(transactions);
  }

  protected async due(batchSize: number, except: string[]): Promise<string[]> {
    const { query } = this.database;
    const parameters = [batchSize, except];
    const rows = await query<{ account_id: string }>('select expired lots', expiredAccountsSql, parameters);
    return rows.map((row) => row.account_id);
  }

  protected async apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    const { query, now, accountIds } = locked;
    const parameters = [[...accountIds], now, batchSize];
    const lots = await query<ExpiredLot>('select expired lots of accounts', expiredLotsSql, parameters);
    await this.entries.insert(
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
}
