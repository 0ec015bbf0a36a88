import { isDay } from '#contracts';
import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { formTokenField } from '../view/form-fields.js';
import { type FormRefusal, usePage } from '../view/page.js';
import { Button } from './controls.js';

interface FormProps {
  readonly action: string;
  /** `get`: the form only changes the view. Default: `post`. */
  readonly method?: 'get' | 'post';
  readonly class?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string | number | undefined>>;
  readonly children: ComponentChildren;
}

/**
 * A form. One that changes something has the form token, without which it is refused. After it was sent and not accepted, its
 * fields hold what was typed, each with its problem.
 */
export function Form({ action, method = 'post', class: className, hidden = {}, children }: FormProps) {
  const { formToken, refusal } = usePage();
  const token = method === 'post' ? { [formTokenField]: formToken } : {};
  return (
    <form method={method} action={action} class={className}>
      {Object.entries<string | number | undefined>({ ...token, ...hidden }).map(
        ([name, value]) =>
          value !== undefined && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <FormContext.Provider value={refusal?.form.action === action ? refusal : undefined}>
        {children}
      </FormContext.Provider>
    </form>
  );
}

interface ActionProps extends Pick<FormProps, 'action' | 'hidden'> {
  /** Text of the button. */
  readonly verb: string;
  readonly kind?: 'primary' | 'plain';
  /** Name of the button for screen readers. */
  readonly label?: string;
}

/** A button that does something at once: a form without fields. */
export function Action({ action, hidden, verb, ...button }: ActionProps) {
  return (
    <Form action={action} hidden={hidden}>
      <Button {...button}>{verb}</Button>
    </Form>
  );
}

interface FoldedProps {
  /** Text of the button that opens it. */
  readonly title: string;
  /** What it is about: with the text, the name of that button for screen readers. */
  readonly of: string;
  /** The forms in it: it is open after one of them was not accepted. */
  readonly actions: readonly string[];
  readonly children: ComponentChildren;
}

/** Rare actions, folded away. */
export function Folded({ title, of, actions, children }: FoldedProps) {
  const { refusal } = usePage();
  return (
    <details open={refusal && actions.includes(refusal.form.action)}>
      <summary class="button plain" aria-label={`${title} ${of}`}>
        {title}
      </summary>
      {children}
    </details>
  );
}

interface FoldedFormProps
  extends Pick<FoldedProps, 'title' | 'of'>, Pick<FormProps, 'action' | 'hidden' | 'children'> {
  /** Text of the button that sends it. */
  readonly verb: string;
  readonly isDangerous?: boolean;
}

/** A form that is folded away until it is wanted. */
export function FoldedForm({ title, of, verb, isDangerous, children, ...form }: FoldedFormProps) {
  return (
    <Folded title={title} of={of} actions={[form.action]}>
      <Form {...form} class="stack">
        {children}
        <Button kind={isDangerous ? 'danger' : 'primary'}>{verb}</Button>
      </Form>
    </Folded>
  );
}

/** The refusal of the surrounding form; `undefined` if it was not sent, or was accepted. */
const FormContext = createContext<FormRefusal | undefined>(undefined);

/** The typed value and the problem of a field; `undefined` unless the surrounding form was refused. */
function useRefusedField(name: string) {
  const refusal = useContext(FormContext);
  if (!refusal) return undefined;
  const { form, problems } = refusal;
  return {
    typed: form.text(name),
    isTicked: form.isTicked(name),
    problem: problems[name],
    /** The first field with a problem gets the focus. */
    isFirst: Object.keys(problems)[0] === name,
  };
}

export interface FieldProps {
  readonly id: string;
  readonly label: ComponentChildren;
  readonly name: string;
  readonly hint?: string;
  /** Other attributes of the field. */
  readonly input?: Omit<InputHTMLAttributes, 'id' | 'name'>;
}

/** An input with its label, a hint and, after a mistake, what was typed and what is wrong with it. */
export function Field({ id, label, name, hint, input = {} }: FieldProps) {
  const refused = useRefusedField(name);
  const problem = refused?.problem;
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  // Browsers would show an empty input for what is not valid for its type.
  const isEmptied =
    problem !== undefined && (input.type === 'number' || (input.type === 'date' && !isDay(refused?.typed)));
  // Preact has a type for each kind of input.
  const attributes = { ...input, type: isEmptied ? 'text' : (input.type ?? 'text') } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...attributes}
        id={id}
        name={name}
        value={refused?.typed ?? input.value}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={described || undefined}
        autofocus={refused ? refused.isFirst : input.autofocus}
      />
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** An input for an email address, with the name `email`. */
export function EmailField({ input, ...field }: Omit<FieldProps, 'name'>) {
  return (
    <Field {...field} name="email" input={{ type: 'email', required: true, maxLength: 254, ...input }} />
  );
}

interface SelectProps {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  /** By value, in the order shown. */
  readonly options: Readonly<Record<string, string>>;
}

/** A choice of one option; a made-up one is answered with an error of the whole form. */
export function Select({ id, name, label, value = '', options }: SelectProps) {
  const chosen = useRefusedField(name)?.typed ?? value;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {Object.entries(options).map(([option, words]) => (
          <option key={option} value={option} selected={option === chosen}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckboxProps {
  readonly name: string;
  readonly isTicked?: boolean;
  readonly children: ComponentChildren;
}

/** A choice between yes and no. */
export function Checkbox({ name, isTicked = false, children }: CheckboxProps) {
  const refused = useRefusedField(name);
  return (
    <label class="checkbox">
      <input type="checkbox" name={name} value="yes" checked={refused?.isTicked ?? isTicked} />
      <span>{children}</span>
    </label>
  );
}
