import { type KeyMode, type KeyView, monthlyLimitMax, type UsageRow } from '#contracts';
import { newToken } from '#platform';
import { Button } from '../../components/controls.js';
import { Badge, Card, Empty, Facts, ListCard, Moment, Row } from '../../components/display.js';
import { Action, Field, type FieldProps, Folded, FoldedForm, Form, Select } from '../../components/form.js';
import { sumUsage } from '../../data/account-data.js';
import { pagePaths } from '../../paths/page-paths.js';
import { formatNumber } from '../../view/format.js';
import { type PageView } from '../../view/page.js';
import { expiryField, isExpired, lastDayOf, limitField } from './key-limits.js';

const keysMax = 5;
export const keyNameLengthMax = 100;
/** Days of calls that are counted for each key. */
export const keyDays = 30;

interface KeysProps {
  /** In the order shown. */
  readonly keys: readonly KeyView[];
  readonly usage: readonly UsageRow[];
  /** A suspended account can't create or rotate keys. */
  readonly isSuspended: boolean;
}

/** The keys of the account, and a form for one more. A form that creates or rotates a key, sent twice, makes one secret. */
export function keysPage(props: KeysProps): PageView {
  const { keys, isSuspended } = props;
  return {
    title: 'API keys',
    section: 'keys',
    answer: `${keys.length} of ${keysMax} keys`,
    body: (
      <>
        {!isSuspended && <NewKey {...props} />}
        {keys.length === 0 && (
          <Empty>
            No keys yet. Give each program or teammate a separate key: you see what each one uses, and can
            switch one off without the others.
          </Empty>
        )}
        <ListCard title="Keys" rows={keys.map((key) => keyRow(key, props))} />
      </>
    ),
  };
}

function NewKey({ keys }: KeysProps) {
  if (keys.length >= keysMax) {
    return <p>An account can have {keysMax} keys. Delete one that you no longer need to create another.</p>;
  }
  return (
    <Card title="New key">
      <Form action={pagePaths.keys} class="line-form" hidden={{ form_id: newToken() }}>
        <NameField id="new-key" label="Name" hint="The program or person that will use the key" />
        <Select id="new-key-mode" name="mode" label="Kind" value="live" options={modes} />
        <KeyLimits id="new-key" />
        <Button kind="primary">Create key</Button>
      </Form>
    </Card>
  );
}

function keyRow(item: KeyView, { usage, isSuspended }: KeysProps) {
  const { id, name, active, mode } = item;
  const path = `${pagePaths.keys}/${id}`;
  const verb = active ? 'Switch off' : 'Switch on';
  const isOld = isExpired(item, Date.now());
  const badge = isOld ? 'Expired' : active ? 'On' : 'Off';
  return (
    <Row
      title={name}
      badge={
        <>
          <Badge kind={badge === 'On' ? 'good' : 'neutral'}>{badge}</Badge>
          {mode === 'test' && <Badge kind="neutral">Test</Badge>}
        </>
      }
      hint={<KeyFacts item={item} usage={usage} />}
    >
      <Action action={`${path}/${active ? 'off' : 'on'}`} verb={verb} label={`${verb} ${name}`} />
      <FoldedForm title="Change" of={name} action={`${path}/change`} verb="Save">
        <NameField id={`change-${id}`} label="Name" input={{ value: name }} />
        <KeyLimits id={`change-${id}`} item={item} />
      </FoldedForm>
      <Folded title="More" of={`for ${name}`} actions={[`${path}/rotate`, `${path}/delete`]}>
        <div class="group">
          {!isSuspended && <Rotation item={item} />}
          <FoldedForm title="Delete" of={name} action={`${path}/delete`} verb="Delete key" isDangerous>
            <p>
              Calls with this key are refused within a second. The key cannot be restored. Your credits and
              its call history are kept.
            </p>
            <NameField id={`delete-${id}`} label={`Type ${name} to delete it`} />
          </FoldedForm>
        </div>
      </Folded>
    </Row>
  );
}

function Rotation({ item }: { readonly item: KeyView }) {
  const { id, name, previous_prefix: prefix } = item;
  return (
    <FoldedForm
      title="Rotate"
      of={name}
      action={`${pagePaths.keys}/${id}/rotate`}
      hidden={{ form_id: newToken() }}
      verb="Rotate key"
    >
      <p>
        You get a new key with the same name and limits. The old one keeps working for a while, so that you
        can replace it without downtime. {prefix && `The previous key, ${prefix}..., stops working now.`}
      </p>
      <Select
        id={`rotate-${id}-overlap`}
        name="overlap_hours"
        label="The old key stops working"
        value="24"
        options={overlaps}
      />
    </FoldedForm>
  );
}

function KeyFacts({ item, usage }: { readonly item: KeyView; readonly usage: readonly UsageRow[] }) {
  const { created_by: maker, monthly_limit: limit, spent_this_month: spent = 0 } = item;
  const { last_used_at: usedAt, expires_at: expiresAt, previous_valid_until: until } = item;
  const isTest = item.mode === 'test';
  const calls = sumUsage(
    usage.filter(({ key_id }) => key_id === item.id),
    'calls',
  );
  return (
    <Facts
      of={{
        Prefix: <code>{item.prefix}...</code>,
        Created: (
          <>
            <Moment at={item.created_at} as="date" />
            {maker && ` by ${maker.email}`}
            {maker?.is_member === false && ', no longer a member'}
          </>
        ),
        Calls: isTest && 'Free, with fictional creators; not listed in usage',
        'Last used': !isTest && (usedAt === null ? 'Never' : <Moment at={usedAt} />),
        [`Calls in ${keyDays} days`]: !isTest && formatNumber(calls),
        'Credits this month': limit && `${formatNumber(spent)} of ${formatNumber(limit)}`,
        Expires: expiresAt && <Moment at={expiresAt} />,
        [`${item.previous_prefix}... works until`]: until && <Moment at={until} />,
      }}
    />
  );
}

const modes: Readonly<Record<KeyMode, string>> = {
  live: 'Live: calls cost credits',
  test: 'Test: free, sample data',
};
const overlaps = { 0: 'Now', 1: 'In an hour', 24: 'In a day', 72: 'In 3 days', 168: 'In a week' };
export const overlapHours = Object.keys(overlaps);

/** `id`: of the form. */
function NameField({ id, input, ...field }: Omit<FieldProps, 'name'>) {
  const ofNames = { required: true, maxLength: keyNameLengthMax, autocomplete: 'off', spellcheck: false };
  return <Field id={`${id}-name`} name="name" input={{ ...ofNames, ...input }} {...field} />;
}

/** A test key spends no credits, so it has no limit. */
function KeyLimits({ id, item }: { readonly id: string; readonly item?: KeyView }) {
  return (
    <>
      {item?.mode !== 'test' && (
        <Field
          id={`${id}-limit`}
          name={limitField}
          label="Credits a month"
          hint="Calls beyond it are refused until the next calendar month, UTC. Leave empty for no limit"
          input={{ type: 'number', min: 1, max: monthlyLimitMax, value: item?.monthly_limit ?? '' }}
        />
      )}
      <Field
        id={`${id}-expires`}
        name={expiryField}
        label="Last day"
        hint="The key expires at the end of this day, UTC. Leave empty for never"
        input={{ type: 'date', value: lastDayOf(item?.expires_at) }}
      />
    </>
  );
}
