/** A form as it was sent. */
export interface SentForm {
  /** The path that it was sent to, which tells the forms of a page apart. */
  readonly action: string;
  /** What was typed into a field, or the option that was chosen. */
  text(name: string): string;
  isTicked(name: string): boolean;
}

/** What is wrong, by the name of the field. Under `wholeForm`: what concerns no single field. */
export type FormProblems = Readonly<Record<string, string>>;

export const wholeForm = '';

/** A form that was not accepted: `Form` and its fields show again what was typed, and what is wrong with it. */
export interface FormRefusal {
  readonly form: SentForm;
  readonly problems: FormProblems;
}
