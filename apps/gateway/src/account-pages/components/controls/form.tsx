import { type ComponentChildren } from 'preact';
import { formTokenField } from '../../sessions/form-check.js';
import { usePage } from '../../view/page-context.js';

interface FormProps {
  readonly action: string;
  readonly class?: string;
  /** Values that nobody types. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

/** A form that changes something: with the token of the visitor, without which it is refused. */
export function Form({ action, class: className, hidden = {}, children }: FormProps) {
  const { formToken } = usePage();
  const values = Object.entries({ [formTokenField]: formToken, ...hidden });
  return (
    <form method="post" action={action} class={className}>
      {values.map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  );
}
