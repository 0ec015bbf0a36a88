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
 * What comes after the entry `$3` of the instant `$4`, newest first. Its month and those before it are read, one after the other,
 * until the page is full. Cursors of the version before have no instant: it is looked up.
 */
const instant = `coalesce($4::timestamptz, (SELECT created_at FROM ledger_entries WHERE account_id = $1 AND id = $3))`;
const after = `account_id = $1 AND created_at >= (SELECT ledger_online_since())
      AND ($3::bigint IS NULL OR created_at <= ${instant})
      AND ($3::bigint IS NULL OR (created_at, id) < (${instant}, $3))`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. Served by
 * `ledger_entries_pk`. A charge is of the month of its entry or, where it was given back, of the one before. A pending charge past
 * its time-out is void from that instant on, whether or not the sweep has recorded it.
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

/** Ledger entries as shown in statements: those in the database, and then those in archives. */
@Injectable()
export class StatementsRepository {
  constructor(private readonly archived: ArchivedEntries) {}

  /** Newest first, at most `limit` before the entry `after`. */
  async entries(
    on: Queryable,
    accountId: string,
    limit: number,
    after: EntryPosition | null,
  ): Promise<Row<LedgerEntryView>[]> {
    const parameters = [accountId, limit, after?.id ?? null, after?.at ?? null];
    const rows = await on.query<Row<LedgerEntryView>>('select ledger entries', entriesSql, parameters);
    const archived = await this.older(on, rows, { accountId, limit, before: after?.id ?? null, type: null });
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
    const parameters = [
      accountId,
      limit,
      after?.id ?? null,
      after?.at ?? null,
      type,
      after?.balanceBefore ?? null,
    ];
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
