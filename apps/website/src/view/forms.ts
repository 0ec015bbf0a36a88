import { httpErrorByCode } from '#http';
import { type ErrorCode, ServiceError } from '#contracts';
import { withQuery } from '../paths/page-paths.js';
import { type FormFields } from './form-fields.js';
import { type PageView, SeeOther, wholeForm } from './page.js';

export interface RefusalOptions {
  /** The fields that people fill in: their problems are shown next to them. */
  readonly fields?: readonly string[];
  /** The field at which all other problems are shown. Default: none, at the top of the page. */
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
  form: FormFields,
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

const doneTexts = {
  'key-changed': 'Key changed.',
  'key-on': 'Key switched on. Calls with it work again.',
  'key-off': 'Key switched off. Calls with it are refused within a second.',
  'key-deleted': 'Key deleted. Calls with it are refused within a second.',
  invited: 'Invitation sent by email. It is valid for 14 days.',
  'invited-unmailed':
    'Invitation created. It is valid for 14 days. This service sends no email: ask its operator for a sign-in link for this address.',
  revoked: 'Invitation revoked.',
  declined: 'Invitation declined.',
  role: 'Role changed.',
  removed: 'Member removed and signed out of this account.',
  left: 'You have left the account.',
  renamed: 'Account renamed.',
  closed: 'The account is closed, and you are signed out.',
  'email-changed': 'Email address changed. Your other sessions are signed out.',
  notices: 'Notification settings saved.',
  rotated: 'Webhook secret replaced. The previous one also signs for 24 hours.',
  tested: 'Test sent. It appears in the list of notifications in a moment.',
  'session-ended': 'The other session is signed out.',
  'signed-out': 'You are signed out.',
  'not-saved': 'You were signed out before the form arrived, so nothing was changed. Send it again.',
} as const;

/** Leads to a page that says at its top what was done. */
export function done(path: string, code: keyof typeof doneTexts): SeeOther {
  return new SeeOther(withQuery(path, { done: code }));
}

/** The code of the form that led to a page, in its path. */
export function doneCode(path: string): keyof typeof doneTexts | undefined {
  const code = new URLSearchParams(path.split('?')[1]).get('done') ?? '';
  return (Object.keys(doneTexts) as (keyof typeof doneTexts)[]).find((name) => name === code);
}

/** The sentence about that form at the top of the page. */
export function doneText(path: string): string | undefined {
  const code = doneCode(path);
  return code && doneTexts[code];
}
