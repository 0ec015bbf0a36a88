import { AccountPageRequest } from '../billing/accounts.js';
import { type Operation, operations } from '../billing/charges.js';
import { type SearchFilter, searchFilters } from '../catalog/search.js';
import { type Page, toBilling } from '../message.js';
import { AnyText, Choice, Id, Integer, Pattern, Text, Time } from '../shape/fields.js';
import { Choices, Many, One } from '../shape/nested-fields.js';
import { Both, Shape } from '../shape/shape.js';
import { DaysQuery } from './usage.js';
import { requestIdPattern } from './headers.js';
import { operation } from './operation.js';

/** The states of a call: those of its charge. A refused charge took nothing and is no call. */
export const callStates = ['pending', 'posted', 'voided'] as const;
export type CallState = (typeof callStates)[number];

/**
 * Why a call cost nothing, or was charged although its client left. `no_match`: no creator matched, or had one of the slugs. `unchanged`: the caller had
 * already what was found. `repeated`: a repetition of a paid call. `abandoned`: the client left in the middle of the answer.
 * `given_up`: the response was not delivered completely. `timed_out`: delivery was not confirmed in time.
 */
export const callReasons = [
  'no_match',
  'unchanged',
  'repeated',
  'abandoned',
  'given_up',
  'timed_out',
] as const;
export type CallReason = (typeof callReasons)[number];

/** The query of `GET /calls/{request_id}`: a page of the calls with this request id. */
export class PageQuery {
  @Integer({ min: 1, max: 100, default: 50, description: 'Calls in the answer.' })
  readonly limit: number;

  @Pattern({
    pattern: /^[A-Za-z0-9_-]{1,500}$/,
    max: 500,
    what: 'copied from the Link header of a list of calls',
    optional: true,
    description: 'Where the page begins: copied from the `link` header of the previous page.',
  })
  readonly cursor?: string;
}

/** Which calls to list. */
export class CallConditions extends DaysQuery {
  @Id({ optional: true, description: 'Only calls with this key.' })
  readonly key_id?: string;

  @Choice(operations, { optional: true, description: 'Only calls of this operation.' })
  readonly operation?: Operation;

  @Choice(callStates, { optional: true, description: 'Only calls in this state.' })
  readonly state?: CallState;
}

/** The query of `GET /calls`. */
export class CallsQuery extends Both(CallConditions, PageQuery) {}

class CallParams {
  @Pattern({
    pattern: requestIdPattern,
    max: 128,
    what: 'a request id',
    description: 'The `x-request-id` of the call.',
    example: 'order-4711',
  })
  readonly request_id: string;
}

@Shape('The key that made the call, which may have been deleted since.')
export class CallKey {
  @Id({ description: 'Its id.' })
  readonly id: string;

  @AnyText({ description: 'Its name.' })
  readonly name: string;

  @AnyText({ description: 'The first characters of the key.' })
  readonly prefix: string;
}

@Shape('A call for creators that was charged, or free.', { name: 'Call' })
export class CallRecord {
  @AnyText({ description: 'The `x-request-id` of the call. Several calls may have the same.' })
  readonly request_id: string;

  @Time({ description: 'When it was charged.' })
  readonly at: string;

  @One(() => CallKey)
  readonly key: CallKey;

  @Choice(operations, { description: 'The operation.' })
  readonly operation: Operation;

  @Choices(searchFilters, {
    nullable: true,
    description: 'The filters of a search; `null` for profiles.',
  })
  readonly filters: readonly SearchFilter[] | null;

  @Integer({
    nullable: true,
    description:
      'Creators that matched a search, or that exist among the `profiles` asked for; `null` for one profile.',
  })
  readonly total: number | null;

  @Integer({ description: 'Credits that this call cost.' })
  readonly credits: number;

  @Integer({ description: 'Credits that were taken and returned because the call failed.' })
  readonly credits_returned: number;

  @Choice(callStates, {
    description:
      '`posted`: you got the answer, or left before its end. `voided`: you did not get it, and pay nothing. `pending`: not yet known.',
  })
  readonly state: CallState;

  @Choice(callReasons, {
    nullable: true,
    description:
      'Why the call cost nothing; `null` for one whose answer you got for its price. `no_match`: no creator matched, or had one of the slugs. `unchanged`: you already have what was found. `repeated`: a repetition of a paid call. `abandoned`: you disconnected before the end; `posted`: charged, because you have left more answers on that day (UTC) than are free, which are five and one more for each 100 paid calls, or because it was for many profiles; `voided`: free. `given_up`: the response was not delivered completely. `timed_out`: delivery was not confirmed in time. More values may come.',
  })
  readonly reason: CallReason | null;

  @AnyText({ nullable: true, description: 'Of a repetition: the request id of the paid call.' })
  readonly repeat_of: string | null;
}

@Shape('A page of calls.')
export class Calls {
  @Many(() => CallRecord, { description: 'Newest first.' })
  readonly calls: readonly CallRecord[];
}

/** Which calls of an account to list: all without conditions. */
export class ListCallsRequest extends Both(CallConditions, AccountPageRequest) {
  @Text({ max: 200, optional: true })
  readonly request_id?: string;
}

/** Newest first. Only reads: may be sent twice. An account that does not exist has none. */
export const listCalls = toBilling<Page<CallRecord>>()('list_calls', ListCallsRequest);

export const listCallsOperation = operation({
  name: 'listCalls',
  method: 'get',
  path: '/calls',
  tag: 'Account',
  limit: 'account',
  summary: 'What each call cost, and why',
  description:
    'The calls of your account, newest first. A call that is not listed cost nothing: it was refused, or failed before it was charged.',
  query: CallsQuery,
  answer: {
    shape: Calls,
    description: 'A page of calls.',
    headers: ['link'],
    examples: { calls: 'A profile, and a search' },
  },
});

export const getCallsOperation = operation({
  name: 'getCalls',
  method: 'get',
  path: '/calls/{request_id}',
  tag: 'Account',
  limit: 'account',
  summary: 'The outcome of one call',
  description:
    'Every call with this `x-request-id`, newest first, of any day. An empty list means that nothing was charged.',
  params: CallParams,
  query: PageQuery,
  answer: {
    shape: Calls,
    description: 'The calls with this request id.',
    headers: ['link'],
    examples: { call: 'A paid profile', none: 'Nothing was charged' },
  },
});
