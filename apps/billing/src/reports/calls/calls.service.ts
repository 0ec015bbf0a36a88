import {
  type CallReason,
  type CallRecord,
  isId,
  type ListCallsRequest,
  type Page,
  type SearchFilter,
} from '#contracts';
import { InjectTransactionRunner, TransactionRunner } from '#platform/database';
import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, isTime } from '../common/cursor.js';
import { reportsPool } from '../../database/data-source.js';
import { type CallRow, CallsRepository } from './calls.repository.js';

/** The calls of an account that reached the ledger, page by page. */
@Injectable()
export class CallsService {
  constructor(
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly calls: CallsRepository,
  ) {}

  /** Newest first; of an account that does not exist, none. Throws `invalid_request` for a cursor of another list. */
  async list({ limit, cursor, ...wanted }: ListCallsRequest): Promise<Page<CallRecord>> {
    const after = cursor === undefined ? null : positionOf(cursor);
    const rows = await this.calls.newestFirst(this.reports, wanted, { limit: limit + 1, after });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      items: page.map(viewOf),
      next_cursor: last ? encodeCursor([last.at.toISOString(), last.id]) : null,
    };
  }
}

function positionOf(cursor: string): { readonly at: string; readonly id: string } {
  const [at, id] = decodeCursor(cursor, [isTime, isId]);
  return { at, id };
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
