import { type ErrorCode, ServiceError } from '@app/contracts';
import { httpErrorByCode } from '../../errors/status-by-code.js';
import { type PageView } from './page.js';
import { type FormProblems, type FormRefusal, type SentForm, wholeForm } from './sent-form.js';

/** The page of a form, after the form was not accepted. */
export function refuse(page: PageView, refusal: FormRefusal, status = 400): PageView {
  return { ...page, status, refusal };
}

const codesAboutForms: readonly ErrorCode[] = ['invalid_request', 'conflict', 'rate_limited'];

/** Whether an error is about what was sent, so that the form itself can show it. */
export function isAboutForm(error: unknown): error is ServiceError {
  return error instanceof ServiceError && codesAboutForms.includes(error.code);
}

/** The same for an error: its status, and its problems at the `fields` that people fill in. */
export function refuseFor(
  page: PageView,
  form: SentForm,
  error: ServiceError,
  fields: readonly string[] = [],
): PageView {
  return refuse(page, { form, problems: problemsIn(error, fields) }, httpErrorByCode[error.code].status);
}

/** The problems that an error names, each at its field; everything else concerns the whole form. */
function problemsIn(error: ServiceError, fields: readonly string[]): FormProblems {
  const named = Object.entries(error.details ?? {}).filter(([field]) => fields.includes(field));
  if (named.length === 0) return { [wholeForm]: error.message };
  return Object.fromEntries(named.map(([field, reasons]) => [field, sentence(reasons.join('; '))]));
}

/** Reasons are parts of a sentence. */
function sentence(reasons: string): string {
  return `${reasons.charAt(0).toUpperCase()}${reasons.slice(1)}${/[.!?]$/.test(reasons) ? '' : '.'}`;
}
