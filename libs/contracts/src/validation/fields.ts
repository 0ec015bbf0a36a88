import { Allow, ValidateBy, ValidateIf } from 'class-validator';
import { isDay, isId, isSha256, isText, isZonedTime } from './formats.js';

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The field may be absent, but not `null`. */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_payload, value) => value !== undefined);
}

/** Any JSON value; the service validates it itself. */
export function AnyField(): PropertyDecorator {
  return Allow();
}

export function IdField(): PropertyDecorator {
  return rule('idField', 'must be a UUID in lower case', isId);
}

export function Sha256Field(): PropertyDecorator {
  return rule('sha256Field', 'must be a SHA-256 in lower-case hexadecimal digits', isSha256);
}

/** At most `lengthMax` Unicode characters, without NUL. */
export function TextField(lengthMax: number): PropertyDecorator {
  const sentence = `must be a string of at most ${lengthMax} characters without NUL`;
  return rule('textField', sentence, (value) => isText(value, lengthMax));
}

/** A string that `pattern` matches, of at most `lengthMax` characters; the error is "must be `what`". */
export function PatternField(pattern: RegExp, lengthMax: number, what: string): PropertyDecorator {
  const matches = (value: unknown): boolean => isText(value, lengthMax) && pattern.test(value);
  return rule('patternField', `must be ${what}`, matches);
}

/** An integer of `[min, max]`. */
export function IntegerField({ min, max }: Range): PropertyDecorator {
  return rule(
    'integerField',
    `must be an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

export function BooleanField(): PropertyDecorator {
  return rule('booleanField', 'must be true or false', (value) => typeof value === 'boolean');
}

export function ChoiceField(choices: readonly string[]): PropertyDecorator {
  const known = new Set<unknown>(choices);
  return rule('choiceField', `must be one of: ${choices.join(', ')}`, (value) => known.has(value));
}

/** A list of some of the choices, each once at most. */
export function ChoiceListField(choices: readonly string[]): PropertyDecorator {
  const known = new Set<unknown>(choices);
  return rule(
    'choiceListField',
    `must be a list of some of: ${choices.join(', ')}`,
    (value) =>
      isList(value, choices.length) &&
      value.every((item) => known.has(item)) &&
      new Set(value).size === value.length,
  );
}

/** An instant, ISO 8601 with `Z` or an offset. */
export function TimeField(): PropertyDecorator {
  const sentence = 'must be an ISO 8601 time with Z or an offset, for example 2026-01-31T12:00:00Z';
  return rule('timeField', sentence, isZonedTime);
}

/** A calendar day, `YYYY-MM-DD`. */
export function DayField(): PropertyDecorator {
  return rule('dayField', 'must be a day, for example 2026-01-31', isDay);
}

/** A list of at most `lengthMax` SHA-256. */
export function Sha256ListField(lengthMax: number): PropertyDecorator {
  return rule(
    'sha256ListField',
    `must be a list of at most ${lengthMax} SHA-256 in lower-case hexadecimal digits`,
    (value) => isList(value, lengthMax) && value.every(isSha256),
  );
}

/** A list of at most `lengthMax` items, which the service validates one by one. */
export function ListField(lengthMax: number): PropertyDecorator {
  const sentence = `must be a list of at most ${lengthMax} items`;
  return rule('listField', sentence, (value) => isList(value, lengthMax));
}

function isList(value: unknown, lengthMax: number): value is unknown[] {
  return Array.isArray(value) && value.length <= lengthMax;
}

/** Decorator for a rule of one's own. The error of a value that breaks it is the field's name and `sentence`. */
export function rule(
  name: string,
  sentence: string,
  validate: (value: unknown) => boolean,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: { validate, defaultMessage: (context) => `${context?.property ?? name} ${sentence}` },
  });
}
