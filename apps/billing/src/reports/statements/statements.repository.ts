import { type EntryType, type LedgerEntryView, type StatementEntry } from '#contracts';
import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type Account } from '../../accounts/account.entity.js';
import { ArchivedEntries, idMax, type WantedEntries } from '../../archives/archived-entries.js';
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
/**
 * What is before the entry `$3` of the instant `$4`, newest first, from the instant `$5` on. `ledger_entries_pk` serves it, month by
 * month until the page is full. Each statement is planned once for all values: months that these leave out are not opened.
 */
const before = `account_id = $1 AND created_at BETWEEN $5::timestamptz AND $4::timestamptz
      AND created_at >= (SELECT ledger_online_since()) AND (created_at, id) < ($4, $3::bigint)`;

/** A charge is of the month of its entry or, where it was given back, of the one before. */
const joins = `${joinNames}
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN $5 - interval '31 days' AND $4 + interval '1 day'
      AND charges.created_at BETWEEN entries.created_at - interval '31 days' AND entries.created_at + interval '1 day'`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. A pending charge past
 * its time-out is void from that instant on, whether or not the sweep has recorded it.
 */
const entriesSql = `
  WITH page AS (
    SELECT * FROM ledger_entries WHERE ${before}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}
  FROM page AS entries ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/** What the account had before the page: by the cursor or, for the first one, what the lots hold now, in one snapshot. */
const balanceBefore = `coalesce($6::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1))`;

/**
 * Hand-written: the balance after an entry is what the account had before the page, less all entries above it on the page. So a page
 * costs no more than itself, and a download visits each entry once.
 */
const statementSql = `
  WITH page AS (
    SELECT *, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries WHERE ${before}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}, lots.pack, (${balanceBefore} - entries.newer)::float8 AS balance_after
  FROM page AS entries ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/**
 * The same for the entries of type `$7`. Those in between, which are not shown, count too: a balance that is known
 * (`entry_balances_pk`) has them, and to the others they are added up.
 */
const ofTypeSql = (condition: string): string => `
  WITH page AS (
    SELECT entries.*, known.balance_after
    FROM (
      SELECT * FROM ledger_entries WHERE ${before} AND ${condition}
      ORDER BY created_at DESC, id DESC LIMIT $2
    ) AS entries
    LEFT JOIN entry_balances AS known
      ON known.account_id = $1 AND known.created_at = entries.created_at AND known.entry_id = entries.id
  ),
  oldest AS MATERIALIZED (
    SELECT created_at, id FROM page WHERE balance_after IS NULL ORDER BY created_at, id LIMIT 1
  ),
  sums AS MATERIALIZED (
    SELECT id, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries
    WHERE ${before} AND created_at >= (SELECT created_at FROM oldest)
      AND (created_at, id) >= (SELECT created_at, id FROM oldest)
  )
  SELECT ${shownColumns}, lots.pack, coalesce(entries.balance_after, ${balanceBefore} - sums.newer)::float8 AS balance_after
  FROM page AS entries LEFT JOIN sums ON sums.id = entries.id ${joins}
  ORDER BY entries.created_at DESC, entries.id DESC`;

/** Most entries are charges; `ledger_entries_besides_charges` finds the others. */
const chargesSql = ofTypeSql('type = $7');
const besidesChargesSql = ofTypeSql(`type = $7 AND type <> 'charge'`);

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

/** A page of the entries of an account. */
export interface WantedPage<Position extends EntryPosition> {
  readonly account: Pick<Account, 'id' | 'createdAt'>;
  readonly limit: number;
  /** `null`: the first page. */
  readonly after: Position | null;
}

const monthMs = 31 * 86_400_000;

/** Ledger entries as shown in statements, newest first. */
@Injectable()
export class StatementsRepository {
  constructor(private readonly archives: ArchivedEntries) {}

  /** Those in the database. */
  entries(on: Queryable, page: WantedPage<EntryPosition>): Promise<Row<LedgerEntryView>[]> {
    return filled(on, page, (bounds) => on.query('select ledger entries', entriesSql, bounds));
  }

  /** The same with the balance after each; only of one type, unless it is `null`. */
  entriesWithBalances(
    on: Queryable,
    page: WantedPage<StatementPosition>,
    type: EntryType | null,
  ): Promise<Row<StatementEntry>[]> {
    const balance = page.after?.balanceBefore ?? null;
    return filled(on, page, (bounds) => {
      if (type === null) return on.query('select a statement', statementSql, [...bounds, balance]);
      return type === 'charge'
        ? on.query('select charges of a statement', chargesSql, [...bounds, balance, type])
        : on.query('select a type of a statement', besidesChargesSql, [...bounds, balance, type]);
    });
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

/**
 * Reads a page between ever wider bounds until it is full: each month between them costs, and most pages need the newest only.
 * Entries can be older than their account by as much as a clock was put back: a month at most.
 */
async function filled<Entry>(
  on: Queryable,
  { account, limit, after }: WantedPage<EntryPosition>,
  read: (bounds: unknown[]) => Promise<Entry[]>,
): Promise<Entry[]> {
  const at = after ? await instantOf(on, account.id, after) : 'infinity';
  const newest = after ? new Date(at ?? 0).getTime() : Date.now();
  const oldest = account.createdAt.getTime() - monthMs;
  for (let lookBackMs = 2 * monthMs; ; lookBackMs *= 4) {
    const since = Math.max(newest - lookBackMs, oldest);
    const entries = await read([account.id, limit, after?.id ?? idMax, at, new Date(since)]);
    if (entries.length === limit || since === oldest) return entries;
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
