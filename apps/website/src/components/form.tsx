import { isDay } from '#contracts';
import { type ComponentChildren, createContext, type InputHTMLAttributes } from 'preact';
import { useContext } from 'preact/hooks';
import { type FormRefusal, formTokenField, usePage, wholeForm } from '../view/page.js';

interface FormProps {
  readonly action: string;
  /** `get`: the form only changes the view. Default: `post`. */
  readonly method?: 'get' | 'post';
  readonly class?: string;
  /** Hidden fields. */
  readonly hidden?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

/**
 * A form. One that changes something has the form token, without which it is refused. After it was sent and not accepted, its
 * fields hold what was typed, with the problem beside each.
 */
export function Form({ action, method = 'post', class: className, hidden = {}, children }: FormProps) {
  const { formToken, refusal } = usePage();
  const token = method === 'post' ? { [formTokenField]: formToken } : {};
  return (
    <form method={method} action={action} class={className}>
      {Object.entries<string | undefined>({ ...token, ...hidden }).map(
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

/** A problem with the form as a whole. Gets the focus if no field does. */
function WholeFormProblem() {
  const refused = useRefusedField(wholeForm);
  if (refused?.problem === undefined) return null;
  return (
    <p class="problem form-problem" role="alert" tabIndex={-1} autofocus={refused.isFirst}>
      {refused.problem}
    </p>
  );
}

/** The refusal of the surrounding form; `undefined` if it was not sent, or was accepted. */
const FormContext = createContext<FormRefusal | undefined>(undefined);

/** What a field shows again; `undefined` unless the surrounding form was refused. */
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

type RefusedField = ReturnType<typeof useRefusedField>;

interface ProblemProps {
  /** Of the field. */
  readonly id: string;
  readonly refused: RefusedField;
}

function Problem({ id, refused }: ProblemProps) {
  if (!refused?.problem) return null;
  return (
    <p class="problem" id={`${id}-problem`}>
      {refused.problem}
    </p>
  );
}

/** Attributes of an input, besides its id and name. */
interface InputOptions {
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
  const described = [hint && `${id}-hint`, refused?.problem && `${id}-problem`].filter(Boolean).join(' ');
  // Preact has a type for each kind of input.
  const attributes = { type: 'text', ...input, ...again(input, refused) } as InputHTMLAttributes;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <Problem id={id} refused={refused} />
      <input
        {...attributes}
        id={id}
        name={name}
        aria-invalid={refused?.problem ? 'true' : undefined}
        aria-describedby={described || undefined}
        autofocus={refused ? refused.isFirst : input.autofocus}
      />
    </div>
  );
}

/** What was typed, as text if it is not valid for the type: browsers would show an empty input. */
function again({ type }: InputOptions, refused: RefusedField): InputOptions {
  if (!refused) return {};
  const isEmptied =
    refused.problem !== undefined && (type === 'number' || (type === 'date' && !isDay(refused.typed)));
  return { value: refused.typed, ...(isEmptied ? { type: undefined } : {}) };
}

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

/** A choice of one option. */
export function Select({ id, name, label, value, options, submits }: SelectProps) {
  const refused = useRefusedField(name);
  const chosen = refused && Object.hasOwn(options, refused.typed) ? refused.typed : value;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Problem id={id} refused={refused} />
      <select
        id={id}
        name={name}
        data-submits={submits ? '' : undefined}
        aria-invalid={refused?.problem ? 'true' : undefined}
        aria-describedby={refused?.problem && `${id}-problem`}
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
