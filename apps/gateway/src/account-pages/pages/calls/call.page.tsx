import { type CallReason, type CallView } from '@app/contracts';
import { operationOf, whyOf } from '../../components/calls/call-words.js';
import { callPath } from '../../components/calls/call-table.js';
import { Card } from '../../components/display/card.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { PageTitle } from '../../components/display/page-title.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

const explanations: Readonly<Record<CallReason, string>> = {
  no_match: 'The search matched no creators. Such searches are free.',
  unchanged: 'You had this profile already and it has not changed. Such calls are free.',
  repeated: 'You sent a call again with its Idempotency-Key. It is paid once.',
  given_up: 'The answer did not reach you, so the credits went back to where they came from.',
  timed_out:
    'We could not confirm delivery in time, so you were not charged: the credits went back to where they came from.',
};

/** The calls with one request id: mostly one. */
export function callPage(requestId: string, calls: readonly CallView[]): PageView {
  const credits = calls.reduce((sum, call) => sum + call.credits, 0);
  return {
    title: 'Call',
    section: 'usage',
    body: (
      <>
        <PageTitle
          title="Call"
          answer={`${formatCount(calls.length, 'call')}, ${formatCount(credits, 'credit')}`}
        />
        <p>
          Request id <code>{requestId}</code>
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

function Call({ call }: { readonly call: CallView }) {
  return (
    <Card title={whyOf(call)}>
      {call.reason !== null && <p>{explanations[call.reason]}</p>}
      <Facts>
        <Fact name="When">
          <Moment at={call.at} as="exact" />
        </Fact>
        <Fact name="Operation">{operationOf(call)}</Fact>
        <Fact name="Key">
          {call.key.name} (<code>{call.key.prefix}...</code>)
        </Fact>
        {call.filters !== null && <Fact name="Filters">{call.filters.join(', ') || 'None'}</Fact>}
        {call.total !== null && <Fact name="Creators that matched">{call.total}</Fact>}
        <Fact name="Cost">{formatCount(call.credits, 'credit')}</Fact>
        {call.credits_returned > 0 && (
          <Fact name="Given back">{formatCount(call.credits_returned, 'credit')}</Fact>
        )}
        {call.repeat_of !== null && (
          <Fact name="Retry of">
            <a href={callPath({ request_id: call.repeat_of })}>{call.repeat_of}</a>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}
