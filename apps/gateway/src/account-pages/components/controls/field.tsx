import { isDay } from '@app/contracts';
import { type ComponentChildren, type InputHTMLAttributes } from 'preact';
import { type RefusedField, useRefusedField } from './form-context.js';

/** What an input may be told, besides its id and name. */
export interface InputOptions {
  readonly type?: 'email' | 'url' | 'number' | 'date';
  readonly value?: string | number;
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly min?: string | number;
  readonly max?: string | number;
  readonly pattern?: string;
  readonly inputMode?: 'numeric';
  readonly autocomplete?: 'off' | 'email' | 'one-time-code';
  readonly autofocus?: boolean;
  readonly spellcheck?: boolean;
  readonly class?: string;
}

interface FieldProps {
  readonly id: string;
  readonly label: ComponentChildren;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly input?: InputOptions;
}

/** An input with its label, a hint and, after a mistake, what was typed and what is wrong with it. */
export function Field({ id, label, name, hint, input = {} }: FieldProps) {
  const refused = useRefusedField(name);
  const problem = refused?.problem;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  // One of many types of inputs, which Preact tells apart.
  const attributes = { type: 'text', ...input, ...again(input, refused) } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <input
        {...attributes}
        id={id}
        name={name}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={described || undefined}
        autofocus={refused ? refused.isFirst : input.autofocus}
      />
    </div>
  );
}

/** What was typed. Browsers leave an input of another type empty when its value is none of that type. */
function again({ type }: InputOptions, refused: RefusedField | undefined): InputOptions {
  if (!refused) return {};
  const isEmptied =
    refused.problem !== undefined && (type === 'number' || (type === 'date' && !isDay(refused.typed)));
  return { value: refused.typed, ...(isEmptied ? { type: undefined } : {}) };
}
