import { Injectable } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { AccountSweepStep } from '../../schedule/account-sweep-step.js';
import { LotsRepository } from './lots.repository.js';

/** Served by `lots_to_expire`. */
const expiredAccountsSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM lots
    WHERE is_open AND expires_at <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY expires_at LIMIT $1
  ) AS expired`;

/** Served by `lots_of_account`. */
const expiredLotsSql = `
  SELECT id, account_id, remaining FROM lots
  WHERE account_id = ANY($1::uuid[]) AND is_open AND expires_at <= $2
  ORDER BY expires_at LIMIT $3`;

/** Served by `lots_pk`. */
const closeSql = 'UPDATE lots SET is_open = false WHERE id = ANY($1::uuid[])';

interface ExpiredLot {
  readonly id: string;
  readonly account_id: string;
  readonly remaining: number;
}

/** Writes off the rest of expired lots, which could not be spent since the instant of their expiry, and closes them. */
@Injectable()
export class ExpiredLotsStep extends AccountSweepStep {
  readonly name = 'expired lots';
  protected readonly dueSql = expiredAccountsSql;

  constructor(
    transactions: AccountTransactions,
    private readonly lots: LotsRepository,
  ) {
    super(transactions);
  }

  protected async apply(locked: LockedAccounts, batchSize: number): Promise<number> {
    const { query, now, accountIds } = locked;
    const parameters = [[...accountIds], now, batchSize];
    const lots = await query<ExpiredLot>('select expired lots of accounts', expiredLotsSql, parameters);
    const rests = lots.filter(({ remaining }) => remaining > 0);
    await this.lots.insertEntries(
      locked,
      rests.map((lot) => ({
        accountId: lot.account_id,
        lotId: lot.id,
        type: 'expiry' as const,
        credits: -lot.remaining,
      })),
    );
    await query('close lots', closeSql, [lots.map(({ id }) => id)]);
    return lots.length;
  }
}
