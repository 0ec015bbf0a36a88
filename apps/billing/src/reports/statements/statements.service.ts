import { type ListStatementRequest, type StatementEntry, type StatementPage } from '#contracts';
import { InjectTransactionRunner, type Queryable, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { decodeCursor, isCredits, isRowNumber, isTime, pageOf } from '../common/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { stateSql } from '../../ledger/rules/ledger-state.js';

/**
 * What is before the entry `$3` of the instant `$4`, newest first, from the instant `$5` on. `ledger_entries_pk` serves it, month by
 * month until the page is full. Each statement is planned once for all values: months that these leave out are not opened.
 */
const before = `account_id = $1 AND created_at BETWEEN $5::timestamptz AND $4::timestamptz
      AND created_at >= (SELECT ledger_online_since()) AND (created_at, id) < ($4, $3::bigint)`;

/**
 * Hand-written: one statement over five tables, whose state of a charge is as of the clock of the database. A pending charge past
 * its time-out is void from that instant on, whether or not the sweep has recorded it. A charge is of the month of its entry or, where
 * it was given back, of the one before.
 *
 * The balance after an entry is what the account had before the page (by the cursor, `$6`, or for the first page what the lots hold
 * now), less all entries above it on the page. So a page costs no more than itself, and a download visits each entry once.
 */
const entriesSql = (condition: string): string => `
  WITH page AS (
    SELECT *, sum(credits) OVER (ORDER BY created_at DESC, id DESC) - credits AS newer
    FROM ledger_entries WHERE ${before} ${condition}
    ORDER BY created_at DESC, id DESC LIMIT $2
  )
  SELECT entries.id::text, entries.created_at AS at, entries.type, entries.credits, entries.lot_id, entries.charge_id,
    charges.request_id, charges.operation, charges.key_id,
    ${stateSql('charges', '(SELECT ledger_now())')} AS state,
    CASE WHEN entries.type = 'purchase' THEN lots.reference ELSE COALESCE(lot_refunds.reference, adjustments.reference) END AS reference,
    adjustments.reason, lots.pack, (
      coalesce($6::numeric, (SELECT coalesce(sum(remaining), 0) FROM lots WHERE account_id = $1)) - entries.newer
    )::float8 AS balance_after
  FROM page AS entries JOIN lots ON lots.id = entries.lot_id
    LEFT JOIN adjustments ON adjustments.id = entries.adjustment_id
    LEFT JOIN lot_refunds ON lot_refunds.lot_id = adjustments.refunded_lot_id
    LEFT JOIN charges ON charges.id = entries.charge_id
      AND charges.created_at BETWEEN $5 - interval '31 days' AND $4 + interval '1 day'
      AND charges.created_at BETWEEN entries.created_at - interval '31 days' AND entries.created_at + interval '1 day'
  ORDER BY entries.created_at DESC, entries.id DESC`;

/** Most entries are charges; `ledger_entries_besides_charges` finds the others by their type, `$7`. */
const statements = {
  all: { name: 'select a statement', sql: entriesSql('') },
  charges: { name: 'select charges of a statement', sql: entriesSql('AND type = $7') },
  others: { name: 'select a type of a statement', sql: entriesSql(`AND type = $7 AND type <> 'charge'`) },
} as const;

/** Since when the account's entries are in the database; no row: all of them are. */
const onlineSinceSql = `
  SELECT since FROM ledger_online_since() AS since, accounts
  WHERE accounts.id = $1 AND accounts.created_at < since`;

type Row = Omit<StatementEntry, 'at' | 'balance_after'> & {
  readonly at: Date;
  readonly balance_after: number;
};

const monthMs = 31 * 86_400_000;

/** The statement of an account: its ledger entries, page by page, newest first. */
@Injectable()
export class StatementsService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly accounts: AccountsRepository,
  ) {}

  /**
   * Lists entries with the balance after each, which the cursor carries on, so that no page sums what others have summed; entries of
   * one type have none. Throws `not_found` without the account.
   */
  async list(request: ListStatementRequest): Promise<StatementPage> {
    const { account_id, limit, cursor, type } = request;
    const position = cursor === undefined ? newest : decodeCursor(cursor, [isRowNumber, isTime, isCredits]);
    const { createdAt } = await this.accounts.get(this.reports, account_id);
    // Entries can be older than their account by as much as a clock was set back: a month at most.
    const oldest = createdAt.getTime() - monthMs;
    // One entry more than is shown, to know whether there are more.
    const wanted = { account_id, limit: limit + 1, position, type, oldest };
    const rows = await this.reports.readPlannedOnce((on) => entriesOf(on, wanted));
    const { items, next_cursor } = pageOf(rows, limit, positionAfter);
    const { query } = this.reports;
    const [online] = await query<{ since: Date }>('find online since', onlineSinceSql, [account_id]);
    return {
      items: items.map((row) => ({
        ...row,
        at: row.at.toISOString(),
        balance_after: type === undefined ? row.balance_after : null,
      })),
      next_cursor,
      online_since: online?.since.toISOString() ?? null,
    };
  }
}

/** Where a page begins: after an entry of this instant, before which the account had this balance. */
type Position = readonly [id: string, at: string, balanceBefore: string | null];

/** Of the first page: before an id above all others. */
const newest: Position = ['9223372036854775807', 'infinity', null];

interface WantedPage extends Pick<ListStatementRequest, 'account_id' | 'limit' | 'type'> {
  readonly position: Position;
  /** No entry is older. */
  readonly oldest: number;
}

/** Reads with ever wider bounds until the page is full: each month costs a read, and most pages need only the newest ones. */
async function entriesOf(
  on: Queryable,
  { account_id, limit, position: [id, at, balanceBefore], type, oldest }: WantedPage,
): Promise<Row[]> {
  const until = at === 'infinity' ? Date.now() : Date.parse(at);
  const { name, sql } = statements[type === undefined ? 'all' : type === 'charge' ? 'charges' : 'others'];
  for (let lookBackMs = 2 * monthMs; ; lookBackMs *= 4) {
    const since = Math.max(until - lookBackMs, oldest);
    const parameters = [account_id, limit, id, at, new Date(since), balanceBefore];
    if (type !== undefined) parameters.push(type);
    const entries = await on.query<Row>(name, sql, parameters);
    if (entries.length === limit || since === oldest) return entries;
  }
}

function positionAfter({ id, at, balance_after, credits }: Row): string[] {
  return [id, at.toISOString(), String(balance_after - credits)];
}
