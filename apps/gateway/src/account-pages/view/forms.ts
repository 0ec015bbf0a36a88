import { type ErrorCode, isId, ServiceError } from '@app/contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { httpErrorByCode } from '../../errors/status-by-code.js';
import { withQuery } from '../paths/page-paths.js';
import { type FormResult, type PageView, SeeOther, type SentForm, wholeForm } from './page.js';

const formType = 'application/x-www-form-urlencoded';

/** The fields of a form or the parameters of an address, as a browser sends them. */
export class FormFields implements SentForm {
  private constructor(
    readonly action: string,
    private readonly fields: URLSearchParams,
  ) {}

  /** Throws `unsupported_media_type` for anything but a form. */
  static of({ url, headers, body }: FastifyRequest): FormFields {
    const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
    if (type !== formType) {
      throw new ServiceError(
        'unsupported_media_type',
        'This address only accepts forms of the account pages.',
      );
    }
    const fields = new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : '');
    return new FormFields(pathOf(url), fields);
  }

  /** Of a parameter that is given twice, the first. */
  static ofAddress({ url }: FastifyRequest): FormFields {
    const question = url.indexOf('?');
    return new FormFields(pathOf(url), new URLSearchParams(question === -1 ? '' : url.slice(question)));
  }

  /** What was typed, trimmed and without control characters; empty for a field that is not there. */
  text(name: string): string {
    const value = this.fields.get(name) ?? '';
    return value.replace(/\p{Cc}/gu, ' ').trim();
  }

  isTicked(name: string): boolean {
    return this.fields.has(name);
  }

  /** The value of a field that is one of `choices`, if it is. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const text = this.text(name);
    return choices.find((choice) => choice === text);
  }
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url;
}

/** Injects the form in a request. */
export const Form = createParamDecorator((_data: unknown, context: ExecutionContext): FormFields =>
  FormFields.of(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Injects the parameters in the address of a request. */
export const Parameters = createParamDecorator((_data: unknown, context: ExecutionContext): FormFields =>
  FormFields.ofAddress(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** An id in a form or an address. What cannot be one is answered as one that does not exist. */
export function readId(text: string): string {
  if (isId(text)) return text;
  throw new ServiceError('not_found', 'Not found in this account.');
}

/** What is wrong with one field of a form. */
export function fieldProblem(field: string, problem: string): ServiceError {
  return new ServiceError('invalid_request', problem, { details: { [field]: [problem] } });
}

interface RefusalOptions {
  /** The fields that people fill in: a problem that names one is shown at it. */
  readonly fields?: readonly string[];
  /** The field at which all other problems are shown. Default: none, above the form. */
  readonly otherwise?: string;
  /** Errors that are about the form, besides those that always are. */
  readonly codes?: readonly ErrorCode[];
}

export interface Submission extends RefusalOptions {
  readonly form: SentForm;
  /** The page with the form, shown again when the form is not accepted. */
  readonly page: () => PageView | Promise<PageView>;
}

const codesAboutForms: readonly ErrorCode[] = ['invalid_request', 'conflict', 'rate_limited'];

/**
 * Handles a form: `change` validates it, does what it asks for and returns the path that the browser loads next. An error that
 * is about what was sent is shown in the form, which holds what was typed; any other error is thrown.
 */
export async function submit(
  { form, page, ...options }: Submission,
  change: () => Promise<string>,
): Promise<FormResult> {
  try {
    return new SeeOther(await change());
  } catch (error) {
    if (!isAboutForm(error, options)) throw error;
    return refuse(await page(), form, error, options);
  }
}

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

/** The path of a page that says what was done, by its code in `doneText`. */
export function donePath(path: string, code: string): string {
  return withQuery(path, { done: code });
}

/** What a page says about the form that led to it, by the code in its address. */
export function doneText(
  parameters: FormFields,
  texts: Readonly<Record<string, string>>,
): string | undefined {
  const code = parameters.text('done');
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
}
