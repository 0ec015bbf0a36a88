import { type CallReason, type CallRecord } from '#contracts';
import { callPath, operationNames, whyOf } from '../../components/calls.js';
import { Card, Fact, Facts, Moment, PageTitle } from '../../components/display.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { type PageView } from '../../view/page.js';

const explanations: Readonly<Record<Exclude<CallReason, 'abandoned'>, string>> = {
  no_match: 'The search matched no creators. Such searches are free.',
  unchanged: 'You already had this profile and it has not changed. Such calls are free.',
  repeated: 'You repeated an earlier call with its Idempotency-Key. It is charged once.',
  given_up: 'The response was not delivered, so your credits were returned.',
  timed_out: 'We could not confirm delivery in time, so you were not charged: your credits were returned.',
};

function explanationOf({ state }: CallRecord, reason: CallReason): string {
  if (reason !== 'abandoned') return explanations[reason];
  return state === 'posted'
    ? 'Left before the end; charged, because the account left more responses on that day than are free: five, and one more for each 100 paid calls.'
    : 'Left before the end, within what is free on a day: your credits were returned.';
}

/** The calls with one request id: mostly one. */
export function callPage(requestId: string, calls: readonly CallRecord[]): PageView {
  const credits = calls.reduce((sum, call) => sum + call.credits, 0);
  const answer = `${formatCount(calls.length, 'call')}, ${formatCount(credits, 'credit')}`;
  return {
    title: 'Call',
    section: 'usage',
    body: (
      <>
        <PageTitle title="Call" answer={answer} />
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
  return (
    <Card title={whyOf(call)}>
      {call.reason !== null && <p>{explanationOf(call, call.reason)}</p>}
      <Facts>
        <Fact name="Date">
          <Moment at={call.at} as="exact" />
        </Fact>
        <Fact name="Operation">{operationNames[call.operation]}</Fact>
        <Fact name="Key">
          {call.key.name} (<code>{call.key.prefix}...</code>)
        </Fact>
        {call.filters !== null && <Fact name="Filters">{call.filters.join(', ') || 'None'}</Fact>}
        {call.total !== null && <Fact name="Matching creators">{call.total}</Fact>}
        <Fact name="Cost">{formatCount(call.credits, 'credit')}</Fact>
        {call.credits_returned > 0 && (
          <Fact name="Returned">{formatCount(call.credits_returned, 'credit')}</Fact>
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
