import { rule } from '@app/contracts';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';

const plainText = /^[^\p{Cc}\p{Cs}]*$/u;
const digits = /^[0-9]{1,15}$/;

interface Range {
  readonly min: number;
  readonly max: number;
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

function isWithin(length: number, lengthMax: number): boolean {
  return length >= 1 && length <= lengthMax;
}
