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
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} data-submits={submits ? '' : undefined}>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option} selected={option === value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
