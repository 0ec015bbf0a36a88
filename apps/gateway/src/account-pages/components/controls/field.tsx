import { type ComponentChildren, type InputHTMLAttributes } from 'preact';

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
  /** What is wrong with what was typed. */
  readonly problem?: string;
  readonly input?: InputOptions;
}

/** An input with its label, a hint and, after a mistake, what is wrong with it. */
export function Field({ id, label, name, hint, problem, input = {} }: FieldProps) {
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  // One of many types of inputs, which Preact tells apart.
  const attributes = { type: 'text', ...input } as InputHTMLAttributes;
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
        autofocus={problem ? true : input.autofocus}
      />
    </div>
  );
}
