import { type EntryType, type LedgerEntryView, type StatementEntry } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { ArchivedEntries, type WantedEntries } from '../../archives/archived-entries.js';
import { type ArchivedEntry } from '../../archives/archived-entry.js';

type Row<View extends LedgerEntryView> = Omit<View, 'at'> & { readonly at: Date };

/** What an entry is called, by its lot or its adjustment. */
const named = `CASE WHEN entries.type = 'purchase' THEN lots.reference ELSE COALESCE(lot_refunds.reference, adjustments.reference) END
      AS reference, adjustments.reason`;
const joinNames = `JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id`;

/** What an entry is shown with, of the tables that it belongs to. */
const shownColumns = `entries.id::text, entries.created_at AS at, entries.type, entries.credits, entries.lot_id, entries.charge_id,
    charges.request_id, charges.operation, charges.key_id,
    CASE WHEN charges.state = 'pending' AND charges.pending_until <= (SELECT ledger_now())
      THEN 'voided' ELSE charges.state END AS state,
    ${named}`;
const joins = `${joinNames}
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN entries.created_at - interval '31 days' AND entries.created_at + interval '1 day'`;

/**
 * An account's entries, or those after the entry `$3` of the instant `$4`. Newest first, the month of that instant and those before it
 * are read one after the other until the page is full; `ledger_entries_pk` serves that.
 */
const first = `account_id = $1 AND created_at >= (SELECT ledger_online_since())`;
const next = `${first} AND created_at <= $4::timestamptz AND (created_at, id) < ($4, $3::bigint)`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. A charge is of the month
 * of its entry or, where it was given back, of the one before. A pending charge past its time-out is void from that instant on,
 * whether or not the sweep has recorded it.
 */
const entriesSql = (page: string): string => `
  WITH page AS (
    SELECT * FROM ledger_entries WHERE ${page}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}
  FROM page AS entries ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/**
 * Hand-written: the balance after an entry is what the account had before the page above, less all entries in between; for the
 * first page, what the lots hold now, in one snapshot. So a page costs no more than itself, and a download visits each entry
 * once.
 */
const statementSql = (page: string, type: string, balance: string): string => `
  WITH page AS (
    SELECT * FROM ledger_entries
    WHERE ${page} AND (${type}::text IS NULL OR type = ${type})
    ORDER BY created_at DESC, id DESC LIMIT $2
  ),
  sums AS MATERIALIZED (
    SELECT id, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries
    WHERE ${page} AND created_at >= (SELECT min(created_at) FROM page)
      AND (created_at, id) >= (SELECT created_at, id FROM page ORDER BY created_at, id LIMIT 1)
  )
  SELECT ${shownColumns}, lots.pack, (${balance} - sums.newer)::float8 AS balance_after
  FROM page AS entries JOIN sums ON sums.id = entries.id ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/** Two texts, because each is planned once for all values. */
const firstEntriesSql = entriesSql(first);
const nextEntriesSql = entriesSql(next);
const balanceNow = '(SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)';
const firstStatementSql = statementSql(first, '$3', balanceNow);
const nextStatementSql = statementSql(next, '$5', '$6::numeric');

/** Of an entry in the database. */
const instantSql = 'SELECT created_at AS at FROM ledger_entries WHERE account_id = $1 AND id = $2';

/** What the database still knows of archived entries, by the primary keys of its tables. */
const namesSql = `
  SELECT lots.pack, ${named}
  FROM unnest($1::text[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS entries (type, lot_id, adjustment_id, number) ${joinNames}
  ORDER BY number`;

/** Where a page begins: after an entry. */
export interface EntryPosition {
  readonly id: string;
  /** When it was made; `null`: a cursor of the version before does not say. */
  readonly at: string | null;
}

/** The same with the credits that the account had before that entry. */
export interface StatementPosition extends EntryPosition {
  readonly balanceBefore: string;
}

/** Ledger entries as shown in statements, newest first. */
@Injectable()
export class StatementsRepository {
  constructor(private readonly archives: ArchivedEntries) {}

  /** Those in the database, at most `limit` before the entry `after`. */
  async entries(
    on: Queryable,
    accountId: string,
    limit: number,
    after: EntryPosition | null,
  ): Promise<Row<LedgerEntryView>[]> {
    if (!after) return on.query('select ledger entries', firstEntriesSql, [accountId, limit]);
    const at = await instantOf(on, accountId, after);
    return on.query('select further ledger entries', nextEntriesSql, [accountId, limit, after.id, at]);
  }

  /** The same with the balance after each; only of one type, unless it is `null`. */
  async entriesWithBalances(
    on: Queryable,
    accountId: string,
    limit: number,
    after: StatementPosition | null,
    type: EntryType | null,
  ): Promise<Row<StatementEntry>[]> {
    if (!after) return on.query('select a statement', firstStatementSql, [accountId, limit, type]);
    const at = await instantOf(on, accountId, after);
    const parameters = [accountId, limit, after.id, at, type, after.balanceBefore];
    return on.query('select a further page of a statement', nextStatementSql, parameters);
  }

  /** Those in archives, for the rest of a page. Reads files: not for a transaction. */
  async archived(on: Queryable, wanted: WantedEntries): Promise<Row<StatementEntry>[]> {
    if (wanted.limit === 0) return [];
    const entries = await this.archives.find(on, wanted);
    if (entries.length === 0) return [];
    const names = await on.query<Names>('select names of archived entries', namesSql, [
      entries.map(({ type }) => type),
      entries.map(({ lotId }) => lotId),
      entries.map(({ adjustmentId }) => adjustmentId),
    ]);
    return entries.map((entry, number) => ({ ...toRow(entry), ...namesAt(names, number) }));
  }
}

/** A cursor of the version before does not say it; `null`: the entry is not in the database. */
async function instantOf(
  on: Queryable,
  accountId: string,
  { id, at }: EntryPosition,
): Promise<string | null> {
  if (at !== null) return at;
  const [entry] = await on.query<{ at: Date }>('select the instant of an entry', instantSql, [accountId, id]);
  return entry?.at.toISOString() ?? null;
}

type Names = Pick<StatementEntry, 'pack' | 'reference' | 'reason'>;

function namesAt(names: readonly Names[], number: number): Names {
  const found = names[number];
  if (!found) throw new Error('the lot of an archived entry is missing');
  return found;
}

function toRow(entry: ArchivedEntry): Omit<Row<StatementEntry>, keyof Names> {
  const { id, at, type, credits, lotId, charge, balanceAfter } = entry;
  return {
    id,
    at,
    type,
    credits,
    lot_id: lotId,
    charge_id: charge?.id ?? null,
    request_id: charge?.requestId ?? null,
    operation: charge?.operation ?? null,
    key_id: charge?.keyId ?? null,
    state: charge?.state ?? null,
    balance_after: balanceAfter,
  };
}
