import { httpErrorByCode } from '#http';
import { type ErrorCode, ServiceError } from '#contracts';
import { withQuery } from '../paths/page-paths.js';
import { type PageView, SeeOther, type SentForm, wholeForm } from './page.js';

export interface RefusalOptions {
  /** The fields that people fill in: problems with them are shown beside them. */
  readonly fields?: readonly string[];
  /** The field at which all other problems are shown. Default: none, above the form. */
  readonly otherwise?: string;
  /** Errors that are about the form, besides those that always are. */
  readonly codes?: readonly ErrorCode[];
}

const codesAboutForms: readonly ErrorCode[] = ['invalid_request', 'conflict', 'rate_limited'];

/** Whether an error is about what was sent, so that the form itself can show it. */
export function isAboutForm(error: unknown, { codes = [] }: RefusalOptions = {}): error is ServiceError {
  return error instanceof ServiceError && [...codesAboutForms, ...codes].includes(error.code);
}

/** The page of a form after it was not accepted, with the status of the error. */
export function refuse(
  page: PageView,
  form: SentForm,
  { code, message, details = {} }: ServiceError,
  { fields = [], otherwise = wholeForm }: RefusalOptions = {},
): PageView {
  const named = Object.entries(details).filter(([field]) => fields.includes(field));
  const problems =
    named.length === 0
      ? { [otherwise]: message }
      : Object.fromEntries(named.map(([field, reasons]) => [field, sentence(reasons.join('; '))]));
  return { ...page, status: httpErrorByCode[code].status, refusal: { form, problems } };
}

/** Reasons are parts of a sentence. */
function sentence(reasons: string): string {
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}${/[.!?]$/.test(reasons) ? '' : '.'}`;
}

/** Leads to a page that says what was done, by its code in `doneText`. */
export function done(path: string, code: string): SeeOther {
  return new SeeOther(withQuery(path, { done: code }));
}

/** What a page says about the form that led to it, by the code in its address. */
export function doneText(form: SentForm, texts: Readonly<Record<string, string>>): string | undefined {
  const code = form.text('done');
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}
