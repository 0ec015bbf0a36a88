import { type CallReason, type CallRecord } from '#contracts';
import { callPath, operationNames, whyOf } from '../../components/calls.js';
import { Card, Facts, Moment } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

const explanations: Readonly<Record<Exclude<CallReason, 'abandoned'>, string>> = {
  no_match: 'No creators matched. Such calls are free.',
  unchanged: 'You already had what was found, and it has not changed. Such calls are free.',
  repeated: 'You repeated an earlier call with its Idempotency-Key. It is charged once.',
  given_up: 'The response was not delivered, so your credits were returned.',
  timed_out: 'We could not confirm delivery in time, so you were not charged: your credits were returned.',
};

function explanationOf({ state, operation }: CallRecord, reason: CallReason): string {
  if (reason !== 'abandoned') return explanations[reason];
  if (operation === 'profiles') {
    return 'Left before the end; charged. Repeat the call with its Idempotency-Key for nothing.';
  }
  return state === 'posted'
    ? 'Left before the end; charged, because the account left more responses on that day than are free: five, and one more for each 100 paid calls.'
    : 'Left before the end, within what is free on a day: your credits were returned.';
}

/** The calls with one request id: mostly one. */
export function callPage(requestId: string, calls: readonly CallRecord[]): PageView {
  const credits = calls.reduce((sum, call) => sum + call.credits, 0);
  return {
    title: 'Call',
    section: 'usage',
    answer: `${formatCount(calls.length, 'call')}, ${formatCount(credits, 'credit')}`,
    body: (
      <>
        <p>
          Request ID <code>{requestId}</code>
        </p>
        {calls.map((call, index) => (
          <Call key={index} call={call} />
        ))}
        <p>
          <a href={`${pagePaths.usage}#calls`}>All calls</a>
        </p>
      </>
    ),
  };
}

function Call({ call }: { readonly call: CallRecord }) {
  const { filters, credits_returned: returned, repeat_of: repeated } = call;
  return (
    <Card title={whyOf(call)}>
      {call.reason !== null && <p>{explanationOf(call, call.reason)}</p>}
      <Facts
        of={{
          Date: <Moment at={call.at} as="exact" />,
          Operation: operationNames[call.operation],
          Key: `${call.key.name} (${call.key.prefix}...)`,
          Filters: filters && (filters.join(', ') || 'None'),
          'Matching creators': call.total,
          Cost: formatCount(call.credits, 'credit'),
          Returned: returned > 0 ? formatCount(returned, 'credit') : null,
          'Retry of': repeated === null ? null : <a href={callPath(repeated)}>{repeated}</a>,
        }}
      />
    </Card>
  );
}
