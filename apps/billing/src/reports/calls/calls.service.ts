import { type CallRecord, isId, type ListCallsRequest, type Page } from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { decodeCursor, isTime, pageOf } from '../common/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { stateSql } from '../../ledger/rules/ledger-state.js';

/** A row of the list: the charge of a call at one instant of the clock. */
type CallRow = Omit<CallRecord, 'at'> & { readonly id: string; readonly at: Date };

/**
 * Hand-written: a page is cut before names are joined to it, and its states are as of one reading of the clock. Calls with
 * one request id are found through `charges_of_request`, others through `charges_of_account` (or `charges_of_key`) from
 * the cursor on, in the months from `from` on, so that a page costs the same however many came before. Refused charges took nothing and are deleted
 * after a minute: they are no calls. A pending charge past its time-out is voided from that instant on, whether or not
 * the sweep has recorded it. The credits of several calls add up to what the balance lacks because of them. Of what was answered, only
 * what matched no creator, unchanged answers and a repetition cost nothing.
 */
const callsSql = `
  WITH clock AS MATERIALIZED (SELECT ledger_now() AS now),
  calls AS (
    SELECT id, request_id, created_at, key_id, operation, filters, total, credits, void_reason, is_abandoned, repeat_of,
      ${stateSql('charges', '(SELECT now FROM clock)')} AS state
    FROM charges
    WHERE account_id = $1 AND state <> 'refused'
      AND ($2::text IS NULL OR request_id = $2)
      AND ($3::date IS NULL OR created_at >= $3::date::timestamptz)
      AND ($4::date IS NULL OR created_at < ($4::date + 1)::timestamptz)
      AND ($5::uuid IS NULL OR key_id = $5)
      AND ($6::text IS NULL OR operation = $6)
      AND ($8::timestamptz IS NULL OR created_at <= $8)
      AND ($8::timestamptz IS NULL OR (created_at, id) < ($8, $9::uuid))
  ),
  page AS (
    SELECT * FROM calls
    WHERE $7::text IS NULL OR state = $7
    ORDER BY created_at DESC, id DESC LIMIT $10
  )
  SELECT page.id, page.request_id, page.created_at AS at,
    json_build_object('id', keys.id, 'name', keys.name, 'prefix', keys.prefix) AS key,
    page.operation, string_to_array(page.filters, ',') AS filters, page.total,
    CASE page.state WHEN 'voided' THEN 0 ELSE page.credits END AS credits,
    CASE page.state WHEN 'voided' THEN page.credits ELSE 0 END AS credits_returned,
    page.state,
    CASE
      WHEN page.is_abandoned THEN 'abandoned'
      WHEN page.state = 'voided' THEN coalesce(page.void_reason, 'timed_out')
      WHEN page.repeat_of IS NOT NULL THEN 'repeated'
      WHEN page.credits > 0 THEN NULL
      WHEN page.operation <> 'profile' AND coalesce(page.total, 0) = 0 THEN 'no_match'
      ELSE 'unchanged'
    END AS reason,
    earlier.request_id AS repeat_of
  FROM page
    JOIN api_keys AS keys ON keys.id = page.key_id
    LEFT JOIN charges AS earlier ON earlier.id = page.repeat_of
      AND earlier.created_at BETWEEN page.created_at - interval '1 day' AND page.created_at + interval '1 day'
  ORDER BY page.created_at DESC, page.id DESC`;

/** The calls of an account that reached the ledger, page by page. */
@Injectable()
export class CallsService {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  /** Lists calls, newest first; none of an account that does not exist. Throws `invalid_request` for a cursor of another list. */
  async list({ limit, cursor, ...wanted }: ListCallsRequest): Promise<Page<CallRecord>> {
    const [at, id] = cursor === undefined ? [null, null] : decodeCursor(cursor, [isTime, isId]);
    // One more than is shown, to know whether there are more.
    const rows = await this.reports.query<CallRow>('select calls', callsSql, [
      wanted.account_id,
      wanted.request_id ?? null,
      wanted.from ?? null,
      wanted.to ?? null,
      wanted.key_id ?? null,
      wanted.operation ?? null,
      wanted.state ?? null,
      at,
      id,
      limit + 1,
    ]);
    const { items, next_cursor } = pageOf(rows, limit, (row) => [row.at.toISOString(), row.id]);
    return {
      items: items.map(({ id: _id, ...call }) => ({ ...call, at: call.at.toISOString() })),
      next_cursor,
    };
  }
}
