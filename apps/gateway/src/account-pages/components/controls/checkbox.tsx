import { type ComponentChildren } from 'preact';
import { useRefusedField } from './form-context.js';

interface CheckboxProps {
  readonly name: string;
  readonly isTicked: boolean;
  readonly children: ComponentChildren;
}

/** A choice between yes and no. */
export function Checkbox({ name, isTicked, children }: CheckboxProps) {
  const refused = useRefusedField(name);
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value="yes" checked={refused?.isTicked ?? isTicked} />
      <span>{children}</span>
    </label>
  );
}
