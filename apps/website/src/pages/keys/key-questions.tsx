import { type KeyView, monthlyLimitMax } from '#contracts';
import { Moment } from '../../components/display.js';
import { Field, Select } from '../../components/form.js';
import { type Question } from '../../components/question.js';
import { pagePaths } from '../../paths/page-paths.js';
import { expiryField, lastDayOf, limitField } from './key-limits.js';

export const keyNameLengthMax = 100;

const ofKeys = { section: 'keys', back: pagePaths.keys } as const;

export function renameKey({ id, name }: KeyView): Question {
  const input = { required: true, maxLength: keyNameLengthMax, autocomplete: 'off', value: name } as const;
  return {
    ...ofKeys,
    id: `rename-${id}`,
    title: `Rename ${name}`,
    path: `${pagePaths.keys}/${id}/name`,
    verb: 'Rename key',
    body: <Field id={`rename-${id}-name`} name="name" label="New name" input={input} />,
  };
}

const overlaps = { 0: 'At once', 1: 'In an hour', 24: 'In a day', 72: 'In 3 days', 168: 'In a week' };
export const overlapHours = Object.keys(overlaps);

/** `formId`: the same form sent twice rotates once. */
export function rotateKey({ id, name, previous_prefix: previous }: KeyView, formId: string): Question {
  return {
    ...ofKeys,
    id: `rotate-${id}`,
    title: `Rotate ${name}?`,
    path: `${pagePaths.keys}/${id}/rotate`,
    verb: 'Rotate key',
    hidden: { form_id: formId },
    body: (
      <>
        <p>
          You get a new key with the same name and limits. The old one goes on working for a while, so that
          you can replace it without a gap.{' '}
          {previous !== undefined && `The key before it, ${previous}..., stops working at once.`}
        </p>
        <Select
          id={`rotate-${id}-overlap`}
          name="overlap_hours"
          label="The old key stops working"
          value="24"
          options={overlaps}
        />
      </>
    ),
  };
}

/** What it may spend, and when it stops working. */
export function limitKey({ id, name, expires_at, monthly_limit: limit }: KeyView): Question {
  return {
    ...ofKeys,
    id: `limits-${id}`,
    title: `Limits of ${name}`,
    path: `${pagePaths.keys}/${id}/limits`,
    verb: 'Save limits',
    body: (
      <>
        <Field
          id={`limits-${id}-month`}
          name={limitField}
          label="Credits a month"
          hint="Calls beyond it are refused until the next calendar month, UTC. Leave empty for no limit"
          input={{ type: 'number', min: 1, max: monthlyLimitMax, value: limit ?? '' }}
        />
        <ExpiryField id={`limits-${id}-expires`} value={lastDayOf(expires_at)} />
      </>
    ),
  };
}

interface ExpiryFieldProps {
  readonly id: string;
  /** A day; empty: none. */
  readonly value?: string;
}

export function ExpiryField({ id, value = '' }: ExpiryFieldProps) {
  return (
    <Field
      id={id}
      name={expiryField}
      label="Last day"
      hint="The key expires at the end of this day, UTC. Leave empty for never"
      input={{ type: 'date', value }}
    />
  );
}

/** Its name has to be typed: a key cannot be restored. */
export function deleteKey({ id, name, last_used_at: lastUsedAt }: KeyView): Question {
  const label = (
    <>
      Type <strong>{name}</strong> to delete it
    </>
  );
  const input = { required: true, autocomplete: 'off', spellcheck: false } as const;
  return {
    ...ofKeys,
    id: `delete-${id}`,
    title: `Delete ${name}?`,
    path: `${pagePaths.keys}/${id}/delete`,
    verb: 'Delete key',
    isDangerous: true,
    body: (
      <>
        <p>
          Calls with this key are refused within a second. The key cannot be restored. Your credits and its
          call history are kept. <LastUse at={lastUsedAt} />
        </p>
        <Field id={`delete-${id}-name`} name="name" label={label} input={input} />
      </>
    ),
  };
}

function LastUse({ at }: { readonly at: string | null }) {
  if (at === null) return <>It was never used.</>;
  return (
    <>
      It was last used <Moment at={at} />.
    </>
  );
}
