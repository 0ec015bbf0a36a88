import { type EntryType, type LedgerEntryView, type StatementEntry } from '@app/contracts';
import { type Queryable } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { ArchivedEntries, type WantedEntries } from '../../archives/archived-entries.js';
import { type ArchivedEntry } from '../../archives/archived-entry.js';

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
  WHERE entries.account_id = $1 AND entries.created_at >= (SELECT ledger_online_since()) AND ($3::bigint IS NULL OR entries.id < $3)
  ORDER BY entries.id DESC LIMIT $2`;

/**
 * Hand-written: the balance after an entry is what the account had before the page above, less all entries in between; for the
 * first page, what the lots hold now, in one snapshot. So a page costs no more than itself, and a download visits each entry
 * once. `ledger_entries_pk` serves both readings.
 */
const statementSql = `
  WITH page AS (
    SELECT * FROM ledger_entries
    WHERE account_id = $1 AND created_at >= (SELECT ledger_online_since()) AND ($3::bigint IS NULL OR id < $3) AND ($4::text IS NULL OR type = $4)
    ORDER BY id DESC LIMIT $2
  ),
  sums AS (
    SELECT id, sum(credits) OVER (ORDER BY id DESC) - credits AS newer
    FROM ledger_entries
    WHERE account_id = $1 AND created_at >= (SELECT ledger_online_since()) AND ($3::bigint IS NULL OR id < $3) AND id >= (SELECT min(id) FROM page)
  )
  SELECT ${shownColumns}, lots.pack,
    (coalesce($5::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)) - sums.newer)::float8 AS balance_after
  FROM page AS entries JOIN sums ON sums.id = entries.id ${joins}
  ORDER BY entries.id DESC`;

/** What the database still knows of archived entries, by the primary keys of its tables. */
const namesSql = `
  SELECT lots.pack, adjustments.reason, CASE WHEN entries.type = 'purchase' THEN lots.reference
    ELSE COALESCE(lot_refunds.reference, adjustments.reference) END AS reference
  FROM unnest($1::text[], $2::uuid[], $3::uuid[]) WITH ORDINALITY AS entries (type, lot_id, adjustment_id, number)
    JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id
  ORDER BY number`;

/** Where a page begins: after an entry, before which the account had so many credits. */
export interface StatementPosition {
  readonly id: string;
  readonly balanceBefore: string;
}

/** Ledger entries as shown in statements: those in the database, and then those in archives. */
@Injectable()
export class StatementsRepository {
  constructor(private readonly archived: ArchivedEntries) {}

  /** Newest first, at most `limit` before the entry `after`. */
  async entries(
    on: Queryable,
    accountId: string,
    limit: number,
    after: string | null,
  ): Promise<Row<LedgerEntryView>[]> {
    const parameters = [accountId, limit, after];
    const rows = await on.query<Row<LedgerEntryView>>('select ledger entries', entriesSql, parameters);
    const archived = await this.older(on, rows, { accountId, limit, before: after, type: null });
    return [...rows, ...archived.map(({ balance_after: _, pack: __, ...row }) => row)];
  }

  /** The same with the balance after each; only of one type, unless it is `null`. */
  async entriesWithBalances(
    on: Queryable,
    accountId: string,
    limit: number,
    after: StatementPosition | null,
    type: EntryType | null,
  ): Promise<Row<StatementEntry>[]> {
    const parameters = [accountId, limit, after?.id ?? null, type, after?.balanceBefore ?? null];
    const rows = await on.query<Row<StatementEntry>>('select a statement', statementSql, parameters);
    const archived = await this.older(on, rows, { accountId, limit, before: after?.id ?? null, type });
    return [...rows, ...archived];
  }

  /** What a page that is not full yet has from archives. */
  private async older(
    on: Queryable,
    newer: readonly { readonly id: string }[],
    wanted: WantedEntries,
  ): Promise<Row<StatementEntry>[]> {
    const limit = wanted.limit - newer.length;
    if (limit === 0) return [];
    const entries = await this.archived.find(on, { ...wanted, limit });
    if (entries.length === 0) return [];
    const names = await on.query<Names>('select names of archived entries', namesSql, [
      entries.map(({ type }) => type),
      entries.map(({ lotId }) => lotId),
      entries.map(({ adjustmentId }) => adjustmentId),
    ]);
    return entries.map((entry, number) => ({ ...toRow(entry), ...namesAt(names, number) }));
  }
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
