import { type EntryType, type LedgerEntryView, type StatementEntry } from '#contracts';
import { type Queryable } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { type Account } from '../../accounts/account.entity.js';
import { stateSql } from '../../ledger/rules/ledger-state.js';

type Row<View extends LedgerEntryView> = Omit<View, 'at'> & { readonly at: Date };

/** What an entry is shown with, of the tables that it belongs to. */
const shownColumns = `entries.id::text, entries.created_at AS at, entries.type, entries.credits, entries.lot_id, entries.charge_id,
    charges.request_id, charges.operation, charges.key_id,
    ${stateSql('charges', '(SELECT ledger_now())')} AS state,
    CASE WHEN entries.type = 'purchase' THEN lots.reference ELSE COALESCE(lot_refunds.reference, adjustments.reference) END AS reference,
    adjustments.reason`;
/**
 * What is before the entry `$3` of the instant `$4`, newest first, from the instant `$5` on. `ledger_entries_pk` serves it, month by
 * month until the page is full. Each statement is planned once for all values: months that these leave out are not opened.
 */
const before = `account_id = $1 AND created_at BETWEEN $5::timestamptz AND $4::timestamptz
      AND created_at >= (SELECT ledger_online_since()) AND (created_at, id) < ($4, $3::bigint)`;

/** A charge is of the month of its entry or, where it was given back, of the one before. */
const joins = `JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN $5 - interval '31 days' AND $4 + interval '1 day'
      AND charges.created_at BETWEEN entries.created_at - interval '31 days' AND entries.created_at + interval '1 day'`;

const newestFirst = 'ORDER BY entries.created_at DESC, entries.id DESC';

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. A pending charge past
 * its time-out is void from that instant on, whether or not the sweep has recorded it.
 */
const entriesSql = (condition: string, further = ''): string => `
  WITH page AS (
    SELECT * FROM ledger_entries WHERE ${before} ${condition}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}${further}
  FROM page AS entries ${joins}
  ${newestFirst}`;

const allSql = entriesSql('');
/** The entries of type `$6`. Most entries are charges; `ledger_entries_besides_charges` finds the others. */
const withoutBalance = ', lots.pack, NULL::float8 AS balance_after';
const chargesSql = entriesSql('AND type = $6', withoutBalance);
const besidesChargesSql = entriesSql(`AND type = $6 AND type <> 'charge'`, withoutBalance);

/**
 * Hand-written: the balance after an entry is what the account had before the page (by the cursor, `$6`, or for the first page what
 * the lots hold now), less all entries above it on the page. So a page costs no more than itself, and a download visits each entry
 * once.
 */
const statementSql = `
  WITH page AS (
    SELECT *, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries WHERE ${before}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT ${shownColumns}, lots.pack, (
      coalesce($6::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)) - entries.newer
    )::float8 AS balance_after
  FROM page AS entries ${joins}
  ${newestFirst}`;

/** Since when the account's entries are in the database; no row: all of them are. */
const onlineSinceSql = `
  SELECT since FROM ledger_online_since() AS since, accounts
  WHERE accounts.id = $1 AND accounts.created_at < since`;

/** Higher than any id. */
const idMax = '9223372036854775807';

/** Where a page begins: after an entry. */
export interface EntryPosition {
  readonly id: string;
  /** When it was made. */
  readonly at: string;
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
  entries(on: Queryable, page: WantedPage<EntryPosition>): Promise<Row<LedgerEntryView>[]> {
    return filled(page, (bounds) => on.query('select ledger entries', allSql, bounds));
  }

  /** The same with the balance after each. */
  entriesWithBalances(
    on: Queryable,
    page: WantedPage<StatementPosition>,
  ): Promise<Row<StatementEntry & { readonly balance_after: number }>[]> {
    const balance = page.after?.balanceBefore ?? null;
    return filled(page, (bounds) => on.query('select a statement', statementSql, [...bounds, balance]));
  }

  /** Those of one type, without a balance. */
  entriesOfType(
    on: Queryable,
    page: WantedPage<EntryPosition>,
    type: EntryType,
  ): Promise<Row<StatementEntry>[]> {
    return filled(page, (bounds) =>
      type === 'charge'
        ? on.query('select charges of a statement', chargesSql, [...bounds, type])
        : on.query('select a type of a statement', besidesChargesSql, [...bounds, type]),
    );
  }

  /** `null`: no entry of the account is in an archive. */
  async onlineSince({ query }: Queryable, accountId: string): Promise<Date | null> {
    const [row] = await query<{ since: Date }>('find online since', onlineSinceSql, [accountId]);
    return row?.since ?? null;
  }
}

/**
 * Reads a page between ever wider bounds until it is full: each month between them costs, and most pages need the newest only.
 * Entries can be older than their account by as much as a clock was put back: a month at most.
 */
async function filled<Entry>(
  { account, limit, after }: WantedPage<EntryPosition>,
  read: (bounds: unknown[]) => Promise<Entry[]>,
): Promise<Entry[]> {
  const newest = after ? new Date(after.at).getTime() : Date.now();
  const oldest = account.createdAt.getTime() - monthMs;
  for (let lookBackMs = 2 * monthMs; ; lookBackMs *= 4) {
    const since = Math.max(newest - lookBackMs, oldest);
    const entries = await read([
      account.id,
      limit,
      after?.id ?? idMax,
      after?.at ?? 'infinity',
      new Date(since),
    ]);
    if (entries.length === limit || since === oldest) return entries;
  }
}
