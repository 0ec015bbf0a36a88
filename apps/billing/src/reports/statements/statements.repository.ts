import { type EntryType, type LedgerEntryView, type StatementEntry } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';

type Row<View extends LedgerEntryView> = Omit<View, 'at'> & { readonly at: Date };

/** What an entry is shown with, of the tables that it belongs to. */
const shownColumns = `entries.id::text, entries.created_at AS at, entries.type, entries.credits, entries.lot_id, entries.charge_id,
    charges.request_id, charges.operation, charges.key_id,
    CASE WHEN charges.state = 'pending' AND charges.pending_until <= (SELECT ledger_now())
      THEN 'voided' ELSE charges.state END AS state,
    CASE WHEN entries.type = 'purchase' THEN lots.reference ELSE COALESCE(lot_refunds.reference, adjustments.reference) END
      AS reference, adjustments.reason`;
const joins = `JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN entries.created_at - interval '31 days' AND entries.created_at + interval '1 day'
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id`;

/**
 * What comes after the entry `$3` of the instant `$4`, newest first. Its month and those before it are read, one after the other,
 * until the page is full. Cursors of the version before have no instant: it is looked up.
 */
const instant = `coalesce($4::timestamptz, (SELECT created_at FROM ledger_entries WHERE account_id = $1 AND id = $3))`;
const after = `account_id = $1
      AND ($3::bigint IS NULL OR created_at <= ${instant})
      AND ($3::bigint IS NULL OR (created_at, id) < (${instant}, $3))`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. Served by
 * `ledger_entries_pk`. A charge is of the month of its entry or, where it was given back, of the one before. A pending charge past its time-out is void from that instant on, whether or not the
 * sweep has recorded it.
 */
const entriesSql = `
  WITH page AS (
    SELECT * FROM ledger_entries WHERE ${after}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}
  FROM page AS entries ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/**
 * Hand-written: the balance after an entry is what the account had before the page above, less all entries in between; for the
 * first page, what the lots hold now, in one snapshot. So a page costs no more than itself, and a download visits each entry
 * once. `ledger_entries_pk` serves both readings.
 */
const statementSql = `
  WITH page AS (
    SELECT * FROM ledger_entries
    WHERE ${after} AND ($5::text IS NULL OR type = $5)
    ORDER BY created_at DESC, id DESC LIMIT $2
  ),
  sums AS MATERIALIZED (
    SELECT id, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries
    WHERE ${after} AND created_at >= (SELECT min(created_at) FROM page)
      AND (created_at, id) >= (SELECT created_at, id FROM page ORDER BY created_at, id LIMIT 1)
  )
  SELECT ${shownColumns}, lots.pack,
    (coalesce($6::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)) - sums.newer)::float8 AS balance_after
  FROM page AS entries JOIN sums ON sums.id = entries.id ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

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

/** Ledger entries as shown in statements. */
@Injectable()
export class StatementsRepository {
  /** Newest first, at most `limit` before the entry `after`. */
  entries(
    { query }: Queryable,
    accountId: string,
    limit: number,
    after: EntryPosition | null,
  ): Promise<Row<LedgerEntryView>[]> {
    const parameters = [accountId, limit, after?.id ?? null, after?.at ?? null];
    return query<Row<LedgerEntryView>>('select ledger entries', entriesSql, parameters);
  }

  /** The same with the balance after each; only of one type, unless it is `null`. */
  entriesWithBalances(
    { query }: Queryable,
    accountId: string,
    limit: number,
    after: StatementPosition | null,
    type: EntryType | null,
  ): Promise<Row<StatementEntry>[]> {
    const parameters = [
      accountId,
      limit,
      after?.id ?? null,
      after?.at ?? null,
      type,
      after?.balanceBefore ?? null,
    ];
    return query<Row<StatementEntry>>('select a statement', statementSql, parameters);
  }
}
