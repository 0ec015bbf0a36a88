import { type Operation } from './account.js';
import { type FilterName } from './search.js';

/**
 * `pending`: the answer is on its way. `posted`: it was handed over. `voided`: the call failed, and what it had taken went
 * back.
 */
export type CallState = 'pending' | 'posted' | 'voided';

/**
 * Why a call cost nothing. `no_match`: a search that matched nobody. `unchanged`: a profile that you had already.
 * `repeated`: an attempt after one that was paid. `given_up`: the answer was not handed over whole. `timed_out`: nobody
 * reported in time that it was. More may come.
 */
export type CallReason = 'no_match' | 'unchanged' | 'repeated' | 'given_up' | 'timed_out';

/** One attempt of a call as the ledger has it. */
export interface CallRecord {
  /** `requestId` of the result or of the error. */
  readonly request_id: string;
  /** When it was charged; ISO 8601, UTC. */
  readonly at: string;
  readonly key: { readonly id: string; readonly name: string; readonly prefix: string };
  readonly operation: Operation;
  /** The filters of a search; `null` for a profile. */
  readonly filters: readonly FilterName[] | null;
  /** Creators that matched a search; `null` for a profile. */
  readonly total: number | null;
  /** What it cost; 0 when it was voided. */
  readonly credits: number;
  /** What it had taken and what went back, when it was voided. */
  readonly credits_returned: number;
  readonly state: CallState;
  /** `null` for a call that costs credits. */
  readonly reason: CallReason | null;
  /** Of a repetition: the request id of the call that was paid. */
  readonly repeat_of: string | null;
}

/** One page of a list. */
export interface PageParameters {
  /** 1 to 100. Default: 50. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Which calls to list: those of the last 30 days, unless it says otherwise. */
export interface CallsParameters extends PageParameters {
  /** First day as `YYYY-MM-DD`, UTC, inclusive. */
  readonly from?: string | undefined;
  /** Last day as `YYYY-MM-DD`, UTC, inclusive. */
  readonly to?: string | undefined;
  /** Those of one API key. */
  readonly key_id?: string | undefined;
  readonly operation?: Operation | undefined;
  readonly state?: CallState | undefined;
}

/** The answer to `GET /calls` and `GET /calls/{request_id}`. */
export interface CallsBody {
  /** Newest first. */
  readonly calls: readonly CallRecord[];
}
