import { RefusedRequest } from '../books/stand-in-error.js';
import { type FormTree, textAt } from './form.js';

/** Refuses a form with other parameters than these. */
export function refuseUnknown(form: FormTree, known: ReadonlySet<string>): void {
  const unknown = Object.keys(form).find((name) => !known.has(name));
  if (unknown !== undefined) throw invalid(unknown, `Received unknown parameter: ${unknown}`);
}

/** A number without a sign. Throws when there is none, or something else. */
export function integer(text: string | undefined, name: string): number {
  if (text === undefined) return missing(name);
  if (!/^\d{1,12}$/.test(text)) throw invalid(name, `Invalid integer: ${text}`);
  return Number(text);
}

/** A number above 0, if one was sent. */
export function amountAt(form: FormTree, name: string): number | undefined {
  const text = textAt(form, name);
  if (text === undefined) return undefined;
  const amount = integer(text, name);
  if (amount > 0) return amount;
  throw invalid(name, 'This value must be greater than or equal to 1.');
}

/** `true` or `false`, if one was sent. */
export function booleanAt(form: FormTree, name: string): boolean | undefined {
  const text = textAt(form, name);
  if (text === undefined) return undefined;
  if (text === 'true' || text === 'false') return text === 'true';
  throw invalid(name, `Invalid boolean: ${text}`);
}

export function missing(name: string): never {
  throw invalid(name, `Missing required param: ${name}.`);
}

export function invalid(param: string, message: string): RefusedRequest {
  return new RefusedRequest(400, message, { param });
}
