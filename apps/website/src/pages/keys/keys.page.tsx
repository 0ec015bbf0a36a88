import { type KeyView, type UsageRow } from '#contracts';
import { Button } from '../../components/controls.js';
import { Badge, Card, Done, Empty, Moment, PageTitle } from '../../components/display.js';
import { Field, Form } from '../../components/form.js';
import { Ask } from '../../components/question.js';
import { usageByDay } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatCount, formatNumber } from '../../view/format.js';
import { type PageView, usePage } from '../../view/page.js';
import { isExpired } from './key-limits.js';
import { deleteKey, ExpiryField, keyNameLengthMax, limitKey, renameKey, rotateKey } from './key-questions.js';

const keysMax = 5;
/** Days of calls that are shown for each key. */
export const keyDays = 30;

interface KeysProps {
  readonly keys: readonly KeyWithUsage[];
  /** Of the form to create one: the same form sent twice creates one key. */
  readonly formId: string;
  /** A suspended account can't create keys. */
  readonly isSuspended: boolean;
  readonly done: string | undefined;
}

interface KeyWithUsage {
  readonly key: KeyView;
  readonly callsByDay: readonly number[];
}

/** Keys with the calls of each day, those used last first, then by age. */
export function withUsage(
  keys: readonly KeyView[],
  usage: readonly UsageRow[],
  days: readonly string[],
): KeyWithUsage[] {
  return [...keys]
    .sort((one, other) => (other.last_used_at ?? '').localeCompare(one.last_used_at ?? ''))
    .map((key) => {
      const rows = usage.filter(({ key_id }) => key_id === key.id);
      return { key, callsByDay: usageByDay(rows, days, 'calls') };
    });
}

/** The keys of the account, and a form for one more. */
export function keysPage(props: KeysProps): PageView {
  const { keys, isSuspended, done } = props;
  return {
    title: 'API keys',
    section: 'keys',
    body: (
      <>
        <PageTitle title="API keys" answer={`${keys.length} of ${keysMax} keys`} />
        {done && <Done>{done}</Done>}
        {!isSuspended && <NewKey {...props} />}
        {keys.length === 0 ? (
          <Empty>
            No keys yet. Give each program or teammate a separate key: you see what each one uses, and can
            switch one off without the others.
          </Empty>
        ) : (
          <KeyTable {...props} />
        )}
      </>
    ),
  };
}

function NewKey({ keys, formId }: KeysProps) {
  if (keys.length >= keysMax) {
    return (
      <p class="hint">
        An account can have {keysMax} keys. Delete one that you no longer need to create another.
      </p>
    );
  }
  return (
    <Card title="New key">
      <Form action={pagePaths.keys} class="line-form" hidden={{ form_id: formId }}>
        <Field
          id="new-key-name"
          name="name"
          label="Name"
          hint="The program or person that will use the key"
          input={{ required: true, maxLength: keyNameLengthMax, autocomplete: 'off' }}
        />
        <ExpiryField id="new-key-expires" />
        <Button kind="primary">Create key</Button>
      </Form>
    </Card>
  );
}

const columns = ['Key', 'Created', 'Last used', `Calls in ${keyDays} days`, 'Actions'] as const;

/** On a phone each row is a card, and each cell names its column. */
function KeyTable({ keys, ...page }: Pick<KeysProps, 'keys' | 'formId' | 'isSuspended'>) {
  return (
    <section class="card">
      <table class="keys">
        <caption class="unseen">Keys</caption>
        <thead>
          <tr>
            {columns.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keys.map((item) => (
            <KeyRow key={item.key.id} item={item} {...page} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RowProps extends Pick<KeysProps, 'formId' | 'isSuspended'> {
  readonly item: KeyWithUsage;
}

function KeyRow({ item: { key, callsByDay }, ...page }: RowProps) {
  const [, created, lastUsed, callsOfDays] = columns;
  const { created_by: maker } = key;
  const calls = formatCount(
    callsByDay.reduce((sum, count) => sum + count, 0),
    'call',
  );
  return (
    <tr id={`key-${key.id}`}>
      <th scope="row" class="key-name">
        {key.name} <KeyState item={key} />
        <code class="hint">{key.prefix}...</code>
        <Expiry item={key} />
        <PreviousSecret item={key} />
      </th>
      <td data-column={created} class="key-created">
        <Moment at={key.created_at} as="date" />
        {maker && (
          <div class="hint key-maker">
            by {maker.email}
            {!maker.is_member && ', no longer a member'}
          </div>
        )}
      </td>
      <td data-column={lastUsed}>{key.last_used_at === null ? 'Never' : <Moment at={key.last_used_at} />}</td>
      <td data-column={callsOfDays} class="key-calls">
        <Sparkline label={`${calls} in ${keyDays} days`} values={callsByDay} />
        <span>{calls}</span>
        <MonthlyLimit item={key} />
      </td>
      <td class="key-actions">
        <KeyActions item={key} {...page} />
      </td>
    </tr>
  );
}

interface KeyProps {
  readonly item: KeyView;
}

type ActionsProps = KeyProps & Pick<KeysProps, 'formId' | 'isSuspended'>;

function KeyState({ item: key }: KeyProps) {
  const { now } = usePage();
  if (isExpired(key, now)) return <Badge kind="neutral">Expired</Badge>;
  return <Badge kind={key.active ? 'good' : 'neutral'}>{key.active ? 'On' : 'Off'}</Badge>;
}

function Expiry({ item: key }: KeyProps) {
  const { now } = usePage();
  const { expires_at: at } = key;
  if (at === null) return null;
  return (
    <div class="hint">
      {isExpired(key, now) ? 'Expired' : 'Expires'} <Moment at={at} />
    </div>
  );
}

function MonthlyLimit({ item: { monthly_limit: limit, spent_this_month: spent = 0 } }: KeyProps) {
  if (limit === null) return null;
  return (
    <div class="hint">
      {formatNumber(spent)} of {formatCount(limit, 'credit')} this month
    </div>
  );
}

function PreviousSecret({ item: { previous_prefix: prefix, previous_valid_until: until } }: KeyProps) {
  if (prefix === undefined || until === undefined) return null;
  return (
    <div class="hint">
      {prefix}... works until <Moment at={until} />
    </div>
  );
}

function KeyActions({ item: key, formId, isSuspended }: ActionsProps) {
  const { id, name, active } = key;
  const verb = active ? 'Switch off' : 'Switch on';
  return (
    <div class="buttons">
      <Form action={`${pagePaths.keys}/${id}/${active ? 'off' : 'on'}`}>
        <Button label={`${verb} ${name}`}>{verb}</Button>
      </Form>
      <Ask question={renameKey(key)} label={`Rename ${name}`}>
        Rename
      </Ask>
      {!isSuspended && (
        <Ask question={rotateKey(key, formId)} label={`Rotate ${name}`}>
          Rotate
        </Ask>
      )}
      <Ask question={limitKey(key)} label={`Limits of ${name}`}>
        Limits
      </Ask>
      <Ask question={deleteKey(key)} label={`Delete ${name}`}>
        Delete
      </Ask>
    </div>
  );
}

const sparklineHeight = 24;

interface SparklineProps {
  readonly label: string;
  readonly values: readonly number[];
}

/** Bars without an axis. */
function Sparkline({ label, values }: SparklineProps) {
  const top = Math.max(...values, 1);
  const place = 100 / values.length;
  const base = sparklineHeight - 0.5;
  return (
    <svg class="sparkline" width="100%" height={sparklineHeight} role="img" aria-label={label}>
      <line x1="0" x2="100%" y1={base} y2={base} class="axis" />
      {values.map((value, index) => {
        if (value === 0) return null;
        const size = Math.max(2, (value / top) * sparklineHeight);
        const [x, y] = [`${place * index}%`, sparklineHeight - size];
        return <rect key={index} x={x} y={y} width={`${place * 0.7}%`} height={size} />;
      })}
    </svg>
  );
}
