import { type ComponentChildren } from 'preact';

interface CheckboxProps {
  readonly name: string;
  readonly isTicked: boolean;
  readonly children: ComponentChildren;
}

/** A choice between yes and no. */
export function Checkbox({ name, isTicked, children }: CheckboxProps) {
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value="yes" checked={isTicked} />
      <span>{children}</span>
    </label>
  );
}
