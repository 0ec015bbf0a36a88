import { type CallRecord, type Operation } from '@app/contracts';
import { pagePaths } from '../paths/page-paths.js';
import { formatNumber } from '../view/format.js';
import { Moment } from './display.js';
import { DataTable } from './table.js';

const columns = [
  { title: 'Date' },
  { title: 'Call and its price' },
  { title: 'Credits', isNumber: true },
  { title: 'Key', isWideOnly: true },
];

interface CallTableProps {
  readonly caption: string;
  readonly calls: readonly CallRecord[];
}

/** Calls, newest first, each with its price and the reason for it. */
export function CallTable({ caption, calls }: CallTableProps) {
  return (
    <DataTable caption={caption} columns={columns}>
      {calls.map((call, index) => (
        <tr key={index} class={call.credits === 0 ? 'free' : undefined}>
          <td>
            <Moment at={call.at} />
          </td>
          <td class="wraps price">
            <a href={callPath(call)}>{whyOf(call)}</a>
            <span class="narrow-only hint">{call.key.name}</span>
          </td>
          <td class="number">{formatNumber(call.credits)}</td>
          <td class="name wide-only" title={call.key.name}>
            {call.key.name}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

/** The page of the calls with the same request id. */
export function callPath({ request_id }: Pick<CallRecord, 'request_id'>): string {
  return `${pagePaths.calls}/${encodeURIComponent(request_id)}`;
}

export const operationNames: Readonly<Record<Operation, string>> = { search: 'Search', profile: 'Profile' };

/** Why a call cost what it did, as `Search: 1 + country + q = 3`, or why it was free. */
export function whyOf(call: CallRecord): string {
  return `${operationNames[call.operation]}: ${reasonOf(call)}`;
}

function reasonOf(call: CallRecord): string {
  switch (call.reason) {
    case 'no_match':
      return 'no match';
    case 'unchanged':
      return 'unchanged (304)';
    case 'repeated':
      return 'retry of an earlier call';
    case 'given_up':
    case 'timed_out':
      return 'failed, credits returned';
    case null:
      return call.state === 'pending' ? `${priceOf(call)}, in progress` : priceOf(call);
  }
}

/** `1 + country + q = 3`. Of calls from before filters were kept, only the price. */
function priceOf({ filters, credits }: CallRecord): string {
  if (filters === null || filters.length === 0) return String(credits);
  return `${['1', ...filters].join(' + ')} = ${credits}`;
}
