import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type FormRefusal } from '../../view/sent-form.js';

/** The refusal of the form around a field; `undefined` in a form that was not sent, or was accepted. */
export const FormContext = createContext<FormRefusal | undefined>(undefined);

/** What a field of a refused form shows again. */
export interface RefusedField {
  readonly typed: string;
  readonly isTicked: boolean;
  readonly problem: string | undefined;
  /** The first field with a problem gets the focus. */
  readonly isFirst: boolean;
}

/** `undefined` unless the form around it was refused. */
export function useRefusedField(name: string): RefusedField | undefined {
  const refusal = useContext(FormContext);
  if (!refusal) return undefined;
  const { form, problems } = refusal;
  return {
    typed: form.text(name),
    isTicked: form.isTicked(name),
    problem: problems[name],
    isFirst: Object.keys(problems)[0] === name,
  };
}
