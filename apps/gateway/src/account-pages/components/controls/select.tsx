import { useRefusedField } from './form-context.js';

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** By value, in the order shown. */
  readonly options: Readonly<Record<string, string>>;
  /** A script sends the form as soon as another one is chosen. */
  readonly submits?: boolean;
}

/** A choice of one among a few. */
export function Select({ id, name, label, value, options, submits }: SelectProps) {
  const refused = useRefusedField(name);
  const chosen = refused && Object.hasOwn(options, refused.typed) ? refused.typed : value;
  const problem = refused?.problem;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      <select
        id={id}
        name={name}
        data-submits={submits ? '' : undefined}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem && `${id}-problem`}
        autofocus={refused?.isFirst}
      >
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option} selected={option === chosen}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
