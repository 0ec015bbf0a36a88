import { type CallView } from '@app/contracts';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber } from '../../view/format.js';
import { DataTable } from '../display/data-table.js';
import { Moment } from '../display/moment.js';
import { whyOf } from './call-words.js';

const columns = [
  { title: 'When' },
  { title: 'Call and its price' },
  { title: 'Credits', isNumber: true },
  { title: 'Key', isWideOnly: true },
];

/** Calls, newest first, each with its price and the reason for it. */
export function CallTable({
  caption,
  calls,
}: {
  readonly caption: string;
  readonly calls: readonly CallView[];
}) {
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
export function callPath({ request_id }: Pick<CallView, 'request_id'>): string {
  return `${pagePaths.calls}/${encodeURIComponent(request_id)}`;
}
