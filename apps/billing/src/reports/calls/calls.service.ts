import {
  type CallReason,
  type CallRecord,
  type CallState,
  isId,
  type ListCallsRequest,
  type Page,
  type SearchFilter,
} from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { decodeCursor, isTime, pageOf } from '../common/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { stateSql } from '../../ledger/rules/ledger-state.js';

/** A call as read: its charge, at one instant of the clock. */
interface CallRow {
  readonly id: string;
  readonly request_id: string;
  readonly at: Date;
  readonly key_id: string;
  readonly key_name: string;
  readonly key_prefix: string;
  readonly operation: CallRecord['operation'];
  /** Names joined by commas. */
  readonly filters: string | null;
  readonly total: number | null;
  /** The price, also of a charge that was voided. */
  readonly credits: number;
  /** A pending charge past its time-out is voided. */
  readonly state: CallState;
  /** `null` for a charge past its time-out that no sweep has recorded as voided yet. */
  readonly void_reason: 'given_up' | 'timed_out' | null;
  readonly is_abandoned: boolean;
  readonly is_repeat: boolean;
  /** The request id of the call that this one repeats. */
  readonly repeat_of: string | null;
}

/**
 * Hand-written: a page is cut before names are joined to it, and its states are as of one reading of the clock. Calls with
 * one request id are found through `charges_of_request`, others through `charges_of_account` (or `charges_of_key`) from
 * the cursor on, in the months from `from` on, so that a page costs the same however many came before. Refused charges took nothing and are deleted
 * after a minute: they are no calls. A pending charge past its time-out is voided from that instant on, whether or not
 * the sweep has recorded it.
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
  SELECT page.id, page.request_id, page.created_at AS at, page.key_id, keys.name AS key_name, keys.prefix AS key_prefix,
    page.operation, page.filters, page.total, page.credits, page.state, page.void_reason, page.is_abandoned,
    page.repeat_of IS NOT NULL AS is_repeat, earlier.request_id AS repeat_of
  FROM page
    JOIN api_keys AS keys ON keys.id = page.key_id
    LEFT JOIN charges AS earlier ON earlier.id = page.repeat_of
      AND earlier.created_at BETWEEN page.created_at - interval '1 day' AND page.created_at + interval '1 day'
  ORDER BY page.created_at DESC, page.id DESC`;

/** The calls of an account that reached the ledger, page by page. */
@Injectable()
export class CallsService {
  constructor(@InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner) {}

  /** Newest first; of an account that does not exist, none. Throws `invalid_request` for a cursor of another list. */
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
    return { items: items.map(viewOf), next_cursor };
  }
}

/** A call as its account sees it. The credits of several calls add up to what the balance lacks because of them. */
function viewOf(row: CallRow): CallRecord {
  const { request_id, operation, total, credits, state, repeat_of } = row;
  const isVoided = state === 'voided';
  return {
    request_id,
    at: row.at.toISOString(),
    key: { id: row.key_id, name: row.key_name, prefix: row.key_prefix },
    operation,
    filters: filtersOf(row.filters),
    total,
    credits: isVoided ? 0 : credits,
    credits_returned: isVoided ? credits : 0,
    state,
    reason: reasonOf(row),
    repeat_of,
  };
}

function filtersOf(names: string | null): SearchFilter[] | null {
  if (names === null) return null;
  return names === '' ? [] : (names.split(',') as SearchFilter[]);
}

/** Of what was answered, only a search without a match, an unchanged profile and a repetition cost nothing. */
function reasonOf({
  state,
  void_reason,
  is_abandoned,
  is_repeat,
  credits,
  operation,
}: CallRow): CallReason | null {
  if (is_abandoned) return 'abandoned';
  if (state === 'voided') return void_reason ?? 'timed_out';
  if (is_repeat) return 'repeated';
  if (credits > 0) return null;
  return operation === 'search' ? 'no_match' : 'unchanged';
}
