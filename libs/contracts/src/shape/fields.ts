import { type AnyDecorator, type Decorator, field, type FieldOptions, none, type None } from './field.js';
import { shownText } from '../text/shown-text.js';
import {
  firstDay,
  isDay,
  isId,
  isPlainText,
  isSha256,
  isText,
  isZonedTime,
  lastDay,
  utcTime,
} from './formats.js';

const ofDays = `from ${firstDay} to ${lastDay} UTC`;

interface TextOptions extends FieldOptions {
  /** Unicode characters once trimmed; default: 1. */
  readonly min?: number;
  readonly max: number;
  /** Line breaks and tabs are allowed; other control characters never are. */
  readonly multiline?: boolean;
  readonly pattern?: RegExp;
  /** A further rule: what the text must have, for example "a letter", and whether it does. */
  readonly also?: readonly [what: string, holds: (text: string) => boolean];
}

/**
 * A string of `min` to `max` characters without control characters. White space around it is dropped, and what hides or turns
 * text.
 */
export function Text<const Options extends TextOptions>(options: Options): Decorator<string, Options> {
  const { min = 1, max, multiline = false, pattern, also } = options;
  const characters = multiline ? 'control characters other than line breaks and tabs' : 'control characters';
  const further = also ? `, with ${also[0]}` : '';
  return field<string, Options>(
    {
      schema: {
        type: 'string',
        ...(min > 0 ? { minLength: min } : {}),
        maxLength: max,
        ...(pattern ? { pattern: pattern.source } : {}),
      },
      sentence: `must be a string of ${min === 0 ? 'at most' : `${min} to`} ${max} characters without ${characters}${further}`,
      clean: shown,
      isValid: (value) =>
        isPlainText(value, min, max, multiline) &&
        (pattern?.test(value) ?? true) &&
        (also?.[1](value) ?? true),
    },
    options,
  );
}

interface PatternOptions extends FieldOptions {
  readonly pattern: RegExp;
  readonly max: number;
  /** The rest of the sentence "must be ...". */
  readonly what: string;
}

/** A string of a form of its own, for example a slug or a cursor. */
export function Pattern<const Options extends PatternOptions>(options: Options): Decorator<string, Options> {
  const { pattern, max, what } = options;
  return field<string, Options>(
    {
      schema: { type: 'string', maxLength: max, pattern: pattern.source },
      sentence: `must be ${what}`,
      isValid: (value) => typeof value === 'string' && value.length <= max && pattern.test(value),
    },
    options,
  );
}

interface IntegerOptions extends FieldOptions {
  readonly min?: number;
  readonly max?: number;
  /** One number between them that is not allowed. */
  readonly except?: number;
}

/** A whole number of `[min, max]`, by default from 0 to 2^53 - 1; as the text of a query, decimal digits. */
export function Integer<const Options extends IntegerOptions = None>(
  options: Options = none as Options,
): Decorator<number, Options> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, except } = options;
  return field<number, Options>(
    {
      schema: {
        type: 'integer',
        ...(max > int32Max ? { format: 'int64' } : {}),
        minimum: min,
        ...(options.max === undefined ? {} : { maximum: max }),
      },
      sentence: `must be an integer between ${min} and ${max}${except === undefined ? '' : `, other than ${except}`}`,
      parse: (text) => (/^-?[0-9]{1,16}$/.test(text) ? Number(text) : text),
      isValid: (value) =>
        Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max && value !== except,
    },
    options,
  );
}

const int32Max = 2_147_483_647;

export function Flag<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<boolean, Options> {
  return field<boolean, Options>(
    {
      schema: { type: 'boolean' },
      sentence: 'must be true or false',
      parse: (text) => (text === 'true' ? true : text === 'false' ? false : text),
      isValid: (value) => typeof value === 'boolean',
    },
    options,
  );
}

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
export function Time<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', format: 'date-time' },
      sentence: `must be an ISO 8601 time with Z or an offset, ${ofDays}, for example 2026-01-31T12:00:00Z`,
      isValid: isZonedTime,
    },
    options,
  );
}

/**
 * When something was: an instant in any common form of ISO 8601 with a zone, which is read as its UTC form with milliseconds, or a day.
 * `pastTime` says which instant it is.
 */
export function PastTime<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
      sentence: `must be a date and time with a zone, for example 2026-01-31T12:00:00Z, or a day, ${ofDays}`,
      clean: (value) => (typeof value !== 'string' ? null : isDay(value) ? value : utcTime(value)),
      isValid: (value) => value !== null,
    },
    options,
  );
}

/** A calendar day from 2000-01-01 to 9999-12-31, `YYYY-MM-DD` UTC. */
export function Day<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', format: 'date' },
      sentence: `must be a day ${ofDays}, for example 2026-01-31`,
      isValid: isDay,
    },
    options,
  );
}

/** A UUID; upper case becomes lower case, since ids are compared as strings. */
export function Id<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', format: 'uuid' },
      sentence: 'must be a UUID',
      clean: (value) => (typeof value === 'string' ? value.toLowerCase() : value),
      isValid: isId,
    },
    options,
  );
}

export function Sha256<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      sentence: 'must be a SHA-256 in lower-case hexadecimal digits',
      isValid: isSha256,
    },
    options,
  );
}

/** A URL that a browser may open: http or https only, so that it can't run code. */
export function Url<const Options extends FieldOptions = None>(
  options: Options = none as Options,
): Decorator<string, Options> {
  return field<string, Options>(
    {
      schema: { type: 'string', format: 'uri' },
      sentence: 'must be a URL that starts with http:// or https://',
      clean: shown,
      isValid: (value) =>
        isPlainText(value, 1, 2_000, false) && /^https?:\/\//i.test(value) && URL.canParse(value),
    },
    options,
  );
}

interface RawOptions extends FieldOptions {
  readonly max: number;
}

/** A string exactly as it was sent, white space and all, for example what a signature was made of. */
export function Raw<const Options extends RawOptions>(options: Options): Decorator<string, Options> {
  const { max } = options;
  return field<string, Options>(
    {
      schema: { type: 'string', maxLength: max },
      sentence: `must be a string of at most ${max} characters without NUL`,
      isValid: (value) => isText(value, max),
    },
    options,
  );
}

/** Any JSON value, which the receiver reads. */
export function Anything(options: FieldOptions = none): AnyDecorator {
  return field(
    { schema: {}, sentence: 'must be a JSON value', isValid: (value) => value !== undefined },
    options,
  );
}

/** What nobody sees of a text means nothing, and must not be shown to others. */
export const shown = (value: unknown): unknown => (typeof value === 'string' ? shownText(value) : value);

/** White space around a text means nothing. */
export const trimmed = (value: unknown): unknown => (typeof value === 'string' ? value.trim() : value);
