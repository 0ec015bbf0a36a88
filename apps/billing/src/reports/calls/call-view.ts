import { type CallReason, type CallState, type CallRecord, type SearchFilter } from '@app/contracts';

/** A call as read: its charge, at one instant of the clock. */
export interface CallRow {
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
  /** `null` for a charge that is voided by its time-out alone: no sweep has recorded that yet. */
  readonly void_reason: 'given_up' | 'timed_out' | null;
  readonly is_repeat: boolean;
  /** The request id of the call that this one repeats. */
  readonly repeat_of: string | null;
}

/** A call as its account sees it. The credits of several calls add up to what the balance lacks because of them. */
export function viewOf(row: CallRow): CallRecord {
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

/** Only a search without a match, an unchanged profile and a repetition cost nothing. */
function reasonOf({ state, void_reason, is_repeat, credits, operation }: CallRow): CallReason | null {
  if (state === 'voided') return void_reason ?? 'timed_out';
  if (is_repeat) return 'repeated';
  if (credits > 0) return null;
  return operation === 'search' ? 'no_match' : 'unchanged';
}
