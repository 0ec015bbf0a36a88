import { TransactionRunner } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../../database/account-transactions.js';

/** Served by `charges_pending`. */
const overdueAccountsSql = `
  SELECT DISTINCT account_id
  FROM (
    SELECT account_id FROM charges
    WHERE state = 'pending' AND pending_until <= (SELECT ledger_now()) AND account_id <> ALL($2::uuid[])
    ORDER BY pending_until LIMIT $1
  ) AS overdue`;

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

/** Served by `charge_tombstones_age`. */
const deleteTombstonesSql = `
  WITH deleted AS (
    DELETE FROM charge_tombstones
    WHERE charge_id IN (
      SELECT charge_id FROM charge_tombstones
      WHERE created_at <= (SELECT ledger_now()) - interval '24 hours'
      ORDER BY created_at LIMIT $1
    )
    RETURNING charge_id
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

/** Served by `charges_refused`. */
const deleteRefusedSql = `
  WITH deleted AS (
    DELETE FROM charges
    WHERE id IN (
      SELECT id FROM charges
      WHERE state = 'refused' AND created_at <= (SELECT ledger_now()) - interval '60 seconds'
      ORDER BY created_at LIMIT $1
    )
    RETURNING id
  )
  SELECT count(*)::integer AS deleted FROM deleted`;

interface ExpiredLot {
  readonly id: string;
  readonly account_id: string;
  readonly remaining: number;
}

/**
 * The sweep's queries for due and old rows. Hand-written: batches by the clock of the database, each through one index.
 */
@Injectable()
export class SweepRepository {
  constructor(private readonly transactions: TransactionRunner) {}

  /** Accounts with charges that were not settled in time. */
  async accountsWithOverdueCharges(max: number, except: string[]): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ account_id: string }>('select overdue charges', overdueAccountsSql, [
      max,
      except,
    ]);
    return rows.map((row) => row.account_id);
  }

  async accountsWithExpiredLots(max: number, except: string[]): Promise<string[]> {
    const { query } = this.transactions;
    const rows = await query<{ account_id: string }>('select expired lots', expiredAccountsSql, [
      max,
      except,
    ]);
    return rows.map((row) => row.account_id);
  }

  /** Expired lots of the locked accounts with credits left. */
  expiredLots({ query, now, accountIds }: LockedAccounts, max: number): Promise<ExpiredLot[]> {
    const parameters = [[...accountIds], now, max];
    return query<ExpiredLot>('select expired lots of accounts', expiredLotsSql, parameters);
  }

  /** Deletes at most `max` tombstones older than 24 h; resolves to their number. */
  async deleteOldTombstones(max: number): Promise<number> {
    const { query } = this.transactions;
    const [row] = await query<{ deleted: number }>('delete charge tombstones', deleteTombstonesSql, [max]);
    return row?.deleted ?? 0;
  }

  /** Deletes at most `max` refused charges older than 60 s; resolves to their number. */
  async deleteRefusedCharges(max: number): Promise<number> {
    const { query } = this.transactions;
    const [row] = await query<{ deleted: number }>('delete refused charges', deleteRefusedSql, [max]);
    return row?.deleted ?? 0;
  }
}
