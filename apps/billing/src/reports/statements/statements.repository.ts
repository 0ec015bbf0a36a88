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
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. Served by
 * `ledger_entries_pk`. A pending charge past its time-out is void from that instant on, whether or not the
 * sweep has recorded it.
 */
const entriesSql = `
  SELECT ${shownColumns}
  FROM ledger_entries AS entries ${joins}
  WHERE entries.account_id = $1 AND ($3::bigint IS NULL OR entries.id < $3)
  ORDER BY entries.id DESC LIMIT $2`;

/**
 * Hand-written: the balance after an entry is what the account had before the page above, less all entries in between; for the
 * first page, what the lots hold now, in one snapshot. So a page costs no more than itself, and a download visits each entry
 * once. `ledger_entries_pk` serves both readings.
 */
const statementSql = `
  WITH page AS (
    SELECT * FROM ledger_entries
    WHERE account_id = $1 AND ($3::bigint IS NULL OR id < $3) AND ($4::text IS NULL OR type = $4)
    ORDER BY id DESC LIMIT $2
  ),
  sums AS (
    SELECT id, sum(credits) OVER (ORDER BY id DESC) - credits AS newer
    FROM ledger_entries
    WHERE account_id = $1 AND ($3::bigint IS NULL OR id < $3) AND id >= (SELECT min(id) FROM page)
  )
  SELECT ${shownColumns}, lots.pack,
    (coalesce($5::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)) - sums.newer)::float8 AS balance_after
  FROM page AS entries JOIN sums ON sums.id = entries.id ${joins}
  ORDER BY entries.id DESC`;

/** Where a page begins: after an entry, before which the account had so many credits. */
export interface StatementPosition {
  readonly id: string;
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
    after: string | null,
  ): Promise<Row<LedgerEntryView>[]> {
    return query<Row<LedgerEntryView>>('select ledger entries', entriesSql, [accountId, limit, after]);
  }

  /** The same with the balance after each; only of one type, unless it is `null`. */
  entriesWithBalances(
    { query }: Queryable,
    accountId: string,
    limit: number,
    after: StatementPosition | null,
    type: EntryType | null,
  ): Promise<Row<StatementEntry>[]> {
    const parameters = [accountId, limit, after?.id ?? null, type, after?.balanceBefore ?? null];
    return query<Row<StatementEntry>>('select a statement', statementSql, parameters);
  }
}
