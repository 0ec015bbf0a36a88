import { type CallRecord, type Operation } from '#contracts';
import { pagePaths } from '../paths/page-paths.js';
import { formatNumber } from '../view/format.js';
import { Moment } from './display.js';
import { type Column } from './table.js';

/** Columns of a table of calls: each with its price and the reason for it. */
export const callColumns: readonly Column<CallRecord>[] = [
  { title: 'Date', cell: ({ at }) => <Moment at={at} /> },
  { title: 'Call and price', cell: (call) => <a href={callPath(call.request_id)}>{whyOf(call)}</a> },
  { title: 'Credits', class: 'number', cell: ({ credits }) => formatNumber(credits) },
  { title: 'Key', class: 'extra', cell: ({ key }) => key.name },
];

/** The page of the calls with the same request id. */
export function callPath(requestId: string): string {
  return `${pagePaths.calls}/${encodeURIComponent(requestId)}`;
}

export const operationNames: Readonly<Record<Operation, string>> = {
  search: 'Search',
  profile: 'Profile',
  profiles: 'Profiles',
};

/** Why a call cost what it did, as `Search: 1 + country + q = 3`, or why it was free. */
export function whyOf(call: CallRecord): string {
  return `${operationNames[call.operation]}: ${reasonOf(call)}`;
}

function reasonOf(call: CallRecord): string {
  switch (call.reason) {
    case 'no_match':
      return 'no match';
    case 'unchanged':
      return call.operation === 'profile' ? 'unchanged (304)' : 'unchanged';
    case 'repeated':
      return 'retry of an earlier call';
    case 'abandoned':
      return call.state === 'posted' ? `${priceOf(call)}, disconnected` : 'disconnected, credits returned';
    case 'given_up':
    case 'timed_out':
      return 'failed, credits returned';
    case null:
      return call.state === 'pending' ? `${priceOf(call)}, in progress` : priceOf(call);
  }
}

/** `1 + country + q = 3`, or `73 found`; only the price for old calls, whose filters were not stored. */
function priceOf({ operation, filters, credits }: CallRecord): string {
  if (operation === 'profiles') return `${credits} found`;
  if (filters === null || filters.length === 0) return String(credits);
  return `${['1', ...filters].join(' + ')} = ${credits}`;
}
