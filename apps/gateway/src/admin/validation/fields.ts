import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn, isISO8601, ValidateIf } from 'class-validator';
import { rule } from '../../validation/rule.js';

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;
const zonedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const digits = /^[0-9]{1,15}$/;

interface Range {
  readonly min: number;
  readonly max: number;
}

/** The field may be absent, but not `null`. */
export function OptionalField(): PropertyDecorator {
  return ValidateIf((_object, value) => value !== undefined);
}

/** A string of 1 to `lengthMax` characters once trimmed, without control characters (PostgreSQL can't store NUL). */
export function TextField(lengthMax: number): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    rule(
      'textField',
      `must be a string of 1 to ${lengthMax} characters without control characters`,
      (value) => typeof value === 'string' && plainText.test(value) && isWithin([...value].length, lengthMax),
    ),
  );
}

/** An integer of `[min, max]`, as a JSON number. */
export function IntegerField({ min, max }: Range): PropertyDecorator {
  return rule(
    'integerField',
    `must be an integer between ${min} and ${max}`,
    (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max,
  );
}

/** An integer of `[min, max]` in decimal digits, as a query parameter. */
export function IntegerParameter(range: Range): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && digits.test(value) ? Number(value) : value,
    ),
    IntegerField(range),
  );
}

export function BooleanField(): PropertyDecorator {
  return rule('booleanField', 'must be true or false', (value) => typeof value === 'boolean');
}

export function ChoiceField(choices: readonly string[]): PropertyDecorator {
  return IsIn(choices, { message: ({ property }) => `${property} must be one of: ${choices.join(', ')}` });
}

/** An ISO 8601 instant with an offset: without one, its meaning would depend on the machine's time zone. */
export function TimeField(): PropertyDecorator {
  return rule(
    'timeField',
    'must be an ISO 8601 time with Z or an offset, for example 2026-01-31T12:00:00Z',
    (value) => typeof value === 'string' && zonedTime.test(value) && isISO8601(value, { strict: true }),
  );
}

/** A calendar day, `YYYY-MM-DD`. */
export function DayParameter(): PropertyDecorator {
  return rule(
    'dayParameter',
    'must be a day, for example 2026-01-31',
    (value) => typeof value === 'string' && day.test(value) && isISO8601(value, { strict: true }),
  );
}

function isWithin(length: number, lengthMax: number): boolean {
  return length >= 1 && length <= lengthMax;
}
