import { counter } from '#platform';
import { type Managed, type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { MoreThan } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { conflict } from '../../errors.js';
import { type LockedAccounts } from '../../database/account-transactions.js';
import { columnsOf, rowsAsJson } from '../../database/columns.js';
import { isExpired, type Lot as AllocatableLot, lotOrder } from '../rules/allocate.js';
import { type NewEntry } from '../rules/ledger-batch.js';
import { Lot } from './lot.entity.js';

const written = counter('ledger_credits_total', 'Absolute credits of the ledger entries written.', ['type']);

/** Credits expire after 30 x 24 hours: no calendar, no daylight saving. */
const lifetimeMs = 30 * 24 * 3_600_000;

/** Most credits in the unexpired lots of an account, spent or not: keeps balances far from 32-bit overflow. */
export const accountCreditsMax = 2_000_000_000;

export type NewLot = Pick<Lot, 'accountId' | 'pack' | 'reference' | 'credits' | 'priceCents' | 'purchasedAt'>;

/** A lot as a query returns it; in JSON its instants are strings. */
export interface RecentLotRow {
  readonly id: string;
  readonly account_id: string;
  readonly purchased_at: Date | string;
  readonly expires_at: Date | string;
  readonly remaining: number;
}

/** Hand-written: read with every charge, within its round trip; served by `lots_of_account`. */
export const recentLotsSql = `
  SELECT id, account_id, purchased_at, expires_at, remaining
  FROM lots
  WHERE account_id = ANY($1::uuid[]) AND expires_at > (SELECT ledger_now()) - interval '1 hour'
  ORDER BY ${lotOrder('lots')}`;

/** Hand-written: one text for any number of entries, which stays prepared. `entries`: as `entriesAsJson` makes them. */
export const insertEntriesSql = (entries: string, at: string): string => `
  INSERT INTO ledger_entries (account_id, lot_id, type, credits, charge_id, adjustment_id, created_at)
  SELECT account_id, lot_id, type, credits, charge_id, adjustment_id, ${at}
  FROM json_populate_recordset(NULL::ledger_entries, ${entries}::json)`;
const insertSql = insertEntriesSql('$1', '$2');

const entryColumns = columnsOf('accountId', 'lotId', 'type', 'credits', 'chargeId', 'adjustmentId');

export function entriesAsJson(entries: readonly NewEntry[]): string {
  return rowsAsJson(entryColumns, entries);
}

/** Counts entries that were committed. */
export function countWritten(entries: readonly NewEntry[]): void {
  for (const { type, credits } of entries) written.inc({ type }, Math.abs(credits));
}

/** The lots of accounts, and the entries that change them. */
@Injectable()
export class LotsRepository {
  /** Appends entries; the schema adds them to their lots and refuses a change that would take a lot out of its bounds. */
  async insertEntries({ query, now, onCommit }: LockedAccounts, entries: readonly NewEntry[]): Promise<void> {
    if (entries.length === 0) return;
    await query('insert ledger entries', insertSql, [entriesAsJson(entries), now]);
    onCommit(() => countWritten(entries));
  }

  /**
   * The lots of the accounts by account id, oldest first, empty lots included: the unexpired ones, and lots that
   * expired within the hour. For use before the instant is known; `unexpiredAt` then selects the unexpired ones.
   */
  async recent({ query }: Queryable, accountIds: Iterable<string>): Promise<Map<string, AllocatableLot[]>> {
    return lotsByAccount(await query<RecentLotRow>('select recent lots', recentLotsSql, [[...accountIds]]));
  }

  /** Served by `lots_pk`. */
  get({ manager }: Managed, id: string): Promise<Lot> {
    return manager.findOneByOrFail(Lot, { id });
  }

  /**
   * Throws `conflict` when `credits` more would exceed what an account may hold. Monthly grants are exempt: they were agreed before,
   * and what is owed is never refused.
   */
  async assertRoom({ manager, now }: LockedAccounts, accountId: string, credits: number): Promise<void> {
    const held = (await manager.sum(Lot, 'credits', { accountId, expiresAt: MoreThan(now) })) ?? 0;
    if (held + credits <= accountCreditsMax) return;
    throw conflict(
      `The unexpired lots of an account may hold at most ${accountCreditsMax} credits together.`,
    );
  }

  /** Adds an empty lot, to be filled by its first entry. Returns its id. */
  async insert({ manager, now }: LockedAccounts, lot: NewLot): Promise<string> {
    const id = uuidv7();
    await manager.insert(Lot, { ...lot, id, expiresAt: expiryOf(lot.purchasedAt), createdAt: now });
    return id;
  }

  /** Adds a lot that was bought or granted, and its opening entry. Returns its id. */
  async insertPurchased(locked: LockedAccounts, lot: NewLot): Promise<string> {
    const lotId = await this.insert(locked, lot);
    const entry = { accountId: lot.accountId, lotId, type: 'purchase' as const, credits: lot.credits };
    await this.insertEntries(locked, [entry]);
    return lotId;
  }
}

/** The instant from which a lot of this purchase has expired. */
export function expiryOf(purchasedAt: Date): Date {
  return new Date(purchasedAt.getTime() + lifetimeMs);
}

export function lotsByAccount(rows: readonly RecentLotRow[]): Map<string, AllocatableLot[]> {
  const lots = new Map<string, AllocatableLot[]>();
  for (const { id, account_id: accountId, purchased_at, expires_at, remaining } of rows) {
    const lot = { id, purchasedAt: new Date(purchased_at), expiresAt: new Date(expires_at), remaining };
    const ofAccount = lots.get(accountId);
    if (ofAccount) ofAccount.push(lot);
    else lots.set(accountId, [lot]);
  }
  return lots;
}

export function unexpiredAt(
  lots: ReadonlyMap<string, readonly AllocatableLot[]>,
  at: Date,
): Map<string, AllocatableLot[]> {
  return new Map([...lots].map(([accountId, all]) => [accountId, all.filter((lot) => !isExpired(lot, at))]));
}
