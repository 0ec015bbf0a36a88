import { type ErrorDetails } from '../errors.js';
import { type Decorator, field, fieldFrom, type FieldOptions, fieldWith, none, type None } from './field.js';
import { shownText } from '../text/shown-text.js';
import {
  firstDay,
  int4Max,
  isDay,
  isId,
  isPlainText,
  isSha256,
  isText,
  isZonedTime,
  lastDay,
  utcTime,
} from './formats.js';

/** Invisible characters of a text mean nothing, and must not be shown to others. */
export const shown = (value: unknown): unknown => (typeof value === 'string' ? shownText(value) : value);

/** Drops the white space around a text. */
export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);

const ofDays = `from ${firstDay} to ${lastDay} UTC`;

interface TextOptions extends FieldOptions {
  /** Unicode characters once trimmed; default: 1. */
  readonly min?: number;
  readonly max: number;
  /** Line breaks and tabs are allowed; other control characters never are. */
  readonly multiline?: boolean;
  /** A further rule: what the text must have, for example "a letter", and whether it does. */
  readonly also?: readonly [what: string, holds: (text: string) => boolean];
}

/**
 * A string of `min` to `max` characters without control characters. White space around it is dropped, and what hides or turns
 * text.
 */
export const Text = fieldFrom<string, TextOptions>(({ min = 1, max, multiline = false, also }) => {
  const characters = multiline ? 'control characters other than line breaks and tabs' : 'control characters';
  const further = also ? `, with ${also[0]}` : '';
  return {
    schema: {
      type: 'string',
      ...(min > 0 ? { minLength: min } : {}),
      maxLength: max,
    },
    sentence: `must be a string of ${min === 0 ? 'at most' : `${min} to`} ${max} characters without ${characters}${further}`,
    clean: shown,
    isValid: (value) => isPlainText(value, min, max, multiline) && (also?.[1](value) ?? true),
  };
});

interface AnyTextOptions extends FieldOptions {
  /** The known texts, for documents: the service that answers says what is wrong with others. */
  readonly known?: readonly string[];
}

const isString = (value: unknown): boolean => typeof value === 'string';

/** A string of any form: in an answer, or in a request where the receiver validates it. */
export const AnyText = fieldFrom<string, AnyTextOptions>(({ known }) => ({
  schema: { type: 'string', ...(known ? { enum: [...known] } : {}) },
  sentence: 'must be a string',
  isValid: isString,
}));

/** A list of strings of any form, in an answer. */
export const AnyTexts = fieldWith<readonly string[]>({
  schema: { type: 'array', items: { type: 'string' } },
  sentence: 'must be a list of strings',
  isValid: (value) => Array.isArray(value) && value.every(isString),
});

/** What is wrong, by field: sentences. */
export const Details = fieldWith<ErrorDetails>({
  schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
  sentence: 'must be an object of lists of strings',
  isValid: (value) => typeof value === 'object' && value !== null,
});

interface PatternOptions extends FieldOptions {
  readonly pattern: RegExp;
  readonly max: number;
  /** The rest of the sentence "must be ...". */
  readonly what: string;
}

/** A string of a form of its own, for example a slug or a cursor. */
export const Pattern = fieldFrom<string, PatternOptions>(({ pattern, max, what }) => ({
  schema: { type: 'string', maxLength: max, pattern: pattern.source },
  sentence: `must be ${what}`,
  isValid: (value) => typeof value === 'string' && value.length <= max && pattern.test(value),
}));

interface IntegerOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** One number between them that is not allowed. */
  readonly except?: number;
}

/** A whole number of `[min, max]`, by default from 0 to 2^53 - 1; as the text of a query, decimal digits. */
export const Integer = fieldFrom<number, IntegerOptions>(({ min = 0, max: given, except }) => {
  const max = given ?? Number.MAX_SAFE_INTEGER;
  return {
    schema: {
      type: 'integer',
      ...(max > int4Max ? { format: 'int64' } : {}),
      minimum: min,
      ...(given === undefined ? {} : { maximum: max }),
    },
    sentence: `must be an integer between ${min} and ${max}${except === undefined ? '' : `, other than ${except}`}`,
    parse: (text) => (/^-?[0-9]{1,16}$/.test(text) ? Number(text) : text),
    isValid: (value) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max && value !== except,
  };
});

export const Flag = fieldWith<boolean>({
  schema: { type: 'boolean' },
  sentence: 'must be true or false',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : text),
  isValid: (value) => typeof value === 'boolean',
});

export function Choice<const Name extends string, const Options extends FieldOptions = None>(
  choices: readonly Name[],
  options: Options = none as Options,
): Decorator<Name, Options> {
  const known = new Set<unknown>(choices);
  return field<Name, Options>(
    {
      schema: { type: 'string', enum: [...choices] },
      sentence: `must be one of ${choices.join(', ')}`,
      isValid: (value) => known.has(value),
    },
    options,
  );
}

/** An instant from 2000 to 9999, ISO 8601 with `Z` or an offset. */
export const Time = fieldWith<string>({
  schema: { type: 'string', format: 'date-time' },
  sentence: `must be an ISO 8601 time with Z or an offset, ${ofDays}, for example 2026-01-31T12:00:00Z`,
  isValid: isZonedTime,
});

/**
 * When something was: an instant in any common form of ISO 8601 with a zone, which is read as its UTC form with milliseconds, or a day.
 * `pastTime` says which instant it is.
 */
export const PastTime = fieldWith<string>({
  schema: { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
  sentence: `must be a date and time with a zone, for example 2026-01-31T12:00:00Z, or a day, ${ofDays}`,
  clean: (value) => (typeof value !== 'string' ? null : isDay(value) ? value : utcTime(value)),
  isValid: (value) => value !== null,
});

/** A calendar day from 2000-01-01 to 9999-12-31, `YYYY-MM-DD` UTC. */
export const Day = fieldWith<string>({
  schema: { type: 'string', format: 'date' },
  sentence: `must be a day ${ofDays}, for example 2026-01-31`,
  isValid: isDay,
});

/** A UUID; upper case becomes lower case, since ids are compared as strings. */
export const Id = fieldWith<string>({
  schema: { type: 'string', format: 'uuid' },
  sentence: 'must be a UUID',
  clean: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
  isValid: isId,
});

export const Sha256 = fieldWith<string>({
  schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  sentence: 'must be a SHA-256 in lower-case hexadecimal digits',
  isValid: isSha256,
});

/** A URL that a browser may open: http or https only, so that it can't run code. */
export const Url = fieldWith<string>({
  schema: { type: 'string', format: 'uri' },
  sentence: 'must be a URL that starts with http:// or https://',
  clean: shown,
  isValid: (value) =>
    isPlainText(value, 1, 2_000, false) && /^https?:\/\//i.test(value) && URL.canParse(value),
});

interface RawOptions extends FieldOptions {
  readonly max: number;
}

/** A string exactly as it was sent, white space and all, for example what a signature was made of. */
export const Raw = fieldFrom<string, RawOptions>(({ max }) => ({
  schema: { type: 'string', maxLength: max },
  sentence: `must be a string of at most ${max} characters without NUL`,
  isValid: (value) => isText(value, max),
}));
