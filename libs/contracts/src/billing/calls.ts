import { type SearchFilter } from '../catalog/search.js';
import { message } from '../message.js';
import { type Page, PageRequest } from '../pagination.js';
import { ChoiceField, DayField, IdField, OptionalField, TextField } from '../validation/fields.js';
import { type Operation, operations } from './charges.js';

/** The states of a call: those of its charge. A refused charge took nothing and is no call. */
export const callStates = ['pending', 'posted', 'voided'] as const;
export type CallState = (typeof callStates)[number];

/**
 * Why a call cost nothing. `no_match`: a search that matched nobody. `unchanged`: a profile that the caller had already.
 * `repeated`: a repetition of a paid call. `given_up`: the answer was not handed over. `timed_out`: nobody reported in
 * time that it was.
 */
export const callReasons = ['no_match', 'unchanged', 'repeated', 'given_up', 'timed_out'] as const;
export type CallReason = (typeof callReasons)[number];

/** The key of a call, which may have been deleted since. */
export interface CallKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
}

/** A call that reached the ledger, as its account sees it. */
export interface CallView {
  /** The `x-request-id` of the call: only a label, not unique. */
  readonly request_id: string;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly key: CallKey;
  readonly operation: Operation;
  /** The filters of a search; `null` for a profile, and for calls from before filters were kept. */
  readonly filters: readonly SearchFilter[] | null;
  /** Creators that matched a search; `null` as for `filters`. */
  readonly total: number | null;
  /** What the balance lacks because of the call: its price while it is pending and once it is posted, 0 when voided. */
  readonly credits: number;
  /** What was taken and went back to the lots it came from, when voided. */
  readonly credits_returned: number;
  readonly state: CallState;
  /** `null` for a call that costs credits. */
  readonly reason: CallReason | null;
  /** Of a repetition: the request id of the call that was paid. */
  readonly repeat_of: string | null;
}

/** Which calls of an account to list: all without conditions. */
export class ListCallsRequest extends PageRequest {
  @IdField()
  readonly account_id: string;

  @OptionalField()
  @TextField(200)
  readonly request_id?: string;

  /** First day, `YYYY-MM-DD` UTC, inclusive. */
  @OptionalField()
  @DayField()
  readonly from?: string;

  /** Last day, `YYYY-MM-DD` UTC, inclusive. */
  @OptionalField()
  @DayField()
  readonly to?: string;

  @OptionalField()
  @IdField()
  readonly key_id?: string;

  @OptionalField()
  @ChoiceField(operations)
  readonly operation?: Operation;

  @OptionalField()
  @ChoiceField(callStates)
  readonly state?: CallState;
}

/** Newest first. Only reads: may be sent twice. An account that does not exist has none. */
export const listCalls = message<ListCallsRequest, Page<CallView>>('billing', 'list_calls', ListCallsRequest);
