import { type ComponentChildren } from 'preact';
import { formTokenField } from '../../sessions/form-check.js';
import { wholeForm } from '../../view/sent-form.js';
import { usePage } from '../../view/page-context.js';
import { FormContext, useRefusedField } from './form-context.js';

interface FormProps {
  readonly action: string;
  /** `get`: it only asks for another view of the page. Default: it changes something. */
  readonly method?: 'get' | 'post';
  readonly class?: string;
  /** Values that nobody types. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

/**
 * A form. One that changes something has the token of the visitor, without which it is refused. After it was sent and not
 * accepted, its fields hold what was typed, with the problem beside each.
 */
export function Form({ action, method = 'post', class: className, hidden = {}, children }: FormProps) {
  const { formToken, refusal } = usePage();
  const token = method === 'post' ? { [formTokenField]: formToken } : {};
  const values = Object.entries<string | undefined>({ ...token, ...hidden });
  return (
    <form method={method} action={action} class={className}>
      {values.map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <FormContext.Provider value={refusal?.form.action === action ? refusal : undefined}>
        <WholeFormProblem />
        {children}
      </FormContext.Provider>
    </form>
  );
}

/** What is wrong with the form as a whole. Gets the focus when no field does. */
function WholeFormProblem() {
  const refused = useRefusedField(wholeForm);
  if (refused?.problem === undefined) return null;
  return (
    <p class="problem form-problem" role="alert" tabIndex={-1} autofocus={refused.isFirst}>
      {refused.problem}
    </p>
  );
}
