import { StandInError } from '../books/stand-in-error.js';

/** Of a form or JSON. */
export type Fields = Readonly<Record<string, string>>;

/** Throws when it is none of them. */
export function oneOf<Value extends string>(name: string, given: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === given);
  if (found === undefined) {
    throw new StandInError(400, `${name} must be one of: ${values.join(', ')}.`, { param: name });
  }
  return found;
}

export function integerIfGiven(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StandInError(400, `${name} must be a whole number.`, { param: name });
}

/** As `7.7`. */
export function numberIfGiven(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}(\.\d{1,3})?$/.test(text)) return Number(text);
  throw new StandInError(400, `${name} must be a number.`, { param: name });
}
