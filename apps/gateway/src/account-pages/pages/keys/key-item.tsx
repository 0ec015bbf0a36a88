import { Sparkline } from '../../components/charts/sparkline.js';
import { Button, LinkButton } from '../../components/controls/button.js';
import { Field } from '../../components/controls/field.js';
import { Form } from '../../components/controls/form.js';
import { Badge } from '../../components/display/badge.js';
import { Fact, Facts } from '../../components/display/facts.js';
import { Moment } from '../../components/display/moment.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount } from '../../view/format.js';
import { DeleteKeyDialog } from './delete-key.js';
import { keyDays, keyNameLengthMax } from './key-limits.js';
import { type KeyWithUsage } from './key-usage.js';

/** One key: what it is, when and how much it is used, and what can be done with it. */
export function KeyItem({ item }: { readonly item: KeyWithUsage }) {
  const { key } = item;
  const path = `${pagePaths.keys}/${key.id}`;
  const dialogId = `delete-${key.id}`;
  return (
    <li class="card key" id={`key-${key.id}`}>
      <div class="key-head">
        <h2>{key.name}</h2>
        <Badge kind={key.active ? 'good' : 'neutral'}>{key.active ? 'On' : 'Off'}</Badge>
      </div>
      <KeyFacts item={item} />
      <div class="key-actions">
        <Form action={`${path}/${key.active ? 'off' : 'on'}`}>
          <Button label={`${key.active ? 'Switch off' : 'Switch on'} ${key.name}`}>
            {key.active ? 'Switch off' : 'Switch on'}
          </Button>
        </Form>
        <details class="rename">
          <summary class="button button-plain" aria-label={`Rename ${key.name}`}>
            Rename
          </summary>
          <Form action={`${path}/name`} class="line-form">
            <Field
              id={`name-${key.id}`}
              name="name"
              label="New name"
              input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off', value: key.name }}
            />
            <Button>Save</Button>
          </Form>
        </details>
        <LinkButton kind="quiet" href={`${path}/delete`} opens={dialogId} label={`Delete ${key.name}`}>
          Delete
        </LinkButton>
      </div>
      <DeleteKeyDialog id={dialogId} name={key.name} keyId={key.id} lastUsedAt={key.last_used_at} />
    </li>
  );
}

function KeyFacts({ item: { key, callsByDay } }: { readonly item: KeyWithUsage }) {
  const calls = callsByDay.reduce((sum, count) => sum + count, 0);
  return (
    <Facts>
      <Fact name="Key">
        <code>{key.prefix}...</code>
      </Fact>
      <Fact name="Created">
        <Moment at={key.created_at} as="date" />
      </Fact>
      <Fact name="Last used">{key.last_used_at === null ? 'Never' : <Moment at={key.last_used_at} />}</Fact>
      <Fact name={`${keyDays} days`} class="key-calls">
        <Sparkline label={`${formatCount(calls, 'call')} in ${keyDays} days`} values={callsByDay} />
        <span>{formatCount(calls, 'call')}</span>
      </Fact>
    </Facts>
  );
}
