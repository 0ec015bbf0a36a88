import { type KeyView } from '@app/contracts';
import { Sparkline } from '../../components/charts/sparkline.js';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Form } from '../../components/controls/form.js';
import { Badge } from '../../components/display/badge.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { DeleteKeyDialog } from './delete-key.js';
import { keyDays } from './key-limits.js';
import { makerOf } from './key-maker.js';
import { type KeyWithUsage } from './key-usage.js';
import { RenameKeyDialog } from './rename-key.js';

export const keyColumns = ['Key', 'Created', 'Last used', `Calls in ${keyDays} days`, 'Actions'] as const;

/** One key: what it is, when and how much it is used, and what can be done with it. On a phone each cell names its column. */
export function KeyRow({ item: { key, callsByDay } }: { readonly item: KeyWithUsage }) {
  const [, created, lastUsed, callsOfDays] = keyColumns;
  const calls = callsByDay.reduce((sum, count) => sum + count, 0);
  const maker = makerOf(key);
  return (
    <tr id={`key-${key.id}`}>
      <th scope="row" class="key-name">
        {key.name} <Badge kind={key.active ? 'good' : 'neutral'}>{key.active ? 'On' : 'Off'}</Badge>
        <code class="hint">{key.prefix}...</code>
      </th>
      <td data-column={created} class="key-created">
        <Moment at={key.created_at} as="date" />
        {maker !== null && <div class="hint key-maker">{maker}</div>}
      </td>
      <td data-column={lastUsed}>{key.last_used_at === null ? 'Never' : <Moment at={key.last_used_at} />}</td>
      <td data-column={callsOfDays} class="key-calls">
        <Sparkline label={`${formatCount(calls, 'call')} in ${keyDays} days`} values={callsByDay} />
        <span>{formatCount(calls, 'call')}</span>
      </td>
      <td class="key-actions">
        <KeyActions item={key} />
      </td>
    </tr>
  );
}

function KeyActions({ item: key }: { readonly item: KeyView }) {
  const path = `${pagePaths.keys}/${key.id}`;
  const verb = key.active ? 'Switch off' : 'Switch on';
  return (
    <>
      <div class="buttons">
        <Form action={`${path}/${key.active ? 'off' : 'on'}`}>
          <Button label={`${verb} ${key.name}`}>{verb}</Button>
        </Form>
        <LinkButton href={`${path}/name`} opens={`rename-${key.id}`} label={`Rename ${key.name}`}>
          Rename
        </LinkButton>
        <LinkButton
          kind="danger-outline"
          href={`${path}/delete`}
          opens={`delete-${key.id}`}
          label={`Delete ${key.name}`}
        >
          Delete
        </LinkButton>
      </div>
      <RenameKeyDialog id={`rename-${key.id}`} keyId={key.id} name={key.name} />
      <DeleteKeyDialog id={`delete-${key.id}`} name={key.name} keyId={key.id} lastUsedAt={key.last_used_at} />
    </>
  );
}
