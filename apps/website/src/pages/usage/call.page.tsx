import { type CallReason, type CallRecord } from '#contracts';
import { callPath, operationNames, whyOf } from '../../components/calls.js';
import { Card, Facts, Moment } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

const explanations: Readonly<Record<Exclude<CallReason, 'abandoned'>, string>> = {
  no_match: 'No creators matched. Such calls are free.',
  unchanged: 'You already had this result, and it has not changed. Such calls are free.',
  repeated: 'You repeated an earlier call with its Idempotency-Key. It is charged once.',
  given_up: 'The response was not delivered, so your credits were returned.',
  timed_out: 'We could not confirm delivery in time, so you were not charged: your credits were returned.',
};

function explanationOf({ state, operation }: CallRecord, reason: CallReason): string {
  if (reason !== 'abandoned') return explanations[reason];
  if (operation === 'profiles') {
    return 'You disconnected early, and the call was charged. Repeat it with its Idempotency-Key for free.';
  }
  return state === 'posted'
    ? 'You disconnected early. The call was charged because the account had used its free disconnects of that day: five, plus one for each 100 paid calls.'
    : 'You disconnected early, within the free disconnects of that day: your credits were returned.';
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
