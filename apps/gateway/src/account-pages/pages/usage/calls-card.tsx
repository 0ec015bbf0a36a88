import { type KeyView } from '@app/contracts';
import { CallTable } from '../../components/calls/call-table.js';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Select } from '../../components/controls/select.js';
import { Card } from '../../components/display/card.js';
import { Empty } from '../../components/display/empty.js';
import { pagePaths } from '../../paths/page-paths.js';
import { type UsageProps } from './usage-props.js';
import { type UsageView, usagePath } from './usage-view.js';

/** Every call of these days, with its price and the reason for it. */
export function CallsCard({ view, keys, calls, nextCursor }: UsageProps) {
  const isFirst = view.cursor === undefined;
  return (
    <Card
      title="Calls"
      id="calls"
      aside={<a href={usagePath(view, {}, `${pagePaths.calls}.csv`)}>Download CSV</a>}
    >
      <CallFilter view={view} keys={keys} />
      {calls.length === 0 ? <Empty>No matching calls.</Empty> : <CallTable caption="Calls" calls={calls} />}
      {(!isFirst || nextCursor !== null) && (
        <div class="pages">
          {!isFirst && <LinkButton href={`${usagePath(view)}#calls`}>Newest</LinkButton>}
          {nextCursor !== null && (
            <LinkButton href={`${usagePath(view, { cursor: nextCursor })}#calls`}>Older</LinkButton>
          )}
        </div>
      )}
    </Card>
  );
}

function CallFilter({ view, keys }: { readonly view: UsageView; readonly keys: readonly KeyView[] }) {
  const names = Object.fromEntries(keys.map(({ id, name }) => [id, name]));
  return (
    <form class="line-form" action={`${pagePaths.usage}#calls`}>
      {view.days === null ? (
        <>
          <input type="hidden" name="from" value={view.from} />
          <input type="hidden" name="to" value={view.to} />
        </>
      ) : (
        <input type="hidden" name="days" value={view.days} />
      )}
      <input type="hidden" name="by" value={view.by} />
      <input type="hidden" name="unit" value={view.unit} />
      <Select
        id="key"
        name="key"
        label="Key"
        value={view.keyId ?? ''}
        options={{ '': 'All keys', ...names }}
        submits
      />
      <Select
        id="operation"
        name="operation"
        label="Operation"
        value={view.operation ?? ''}
        options={{ '': 'All operations', search: 'Searches', profile: 'Profiles' }}
        submits
      />
      <Select
        id="state"
        name="state"
        label="Outcome"
        value={view.state ?? ''}
        options={{ '': 'All', posted: 'Answered', voided: 'Failed' }}
        submits
      />
      <Button>Filter</Button>
    </form>
  );
}
