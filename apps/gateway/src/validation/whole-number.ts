import { rule } from '@app/contracts';

/** An integer of `[min, max]` in decimal digits, as a query parameter. */
export function IsWholeNumber(min: number, max: number): PropertyDecorator {
  return rule(
    'isWholeNumber',
    `must be an integer between ${min} and ${max}`,
    (value) =>
      typeof value === 'string' &&
      /^[0-9]{1,16}$/.test(value) &&
      Number(value) >= min &&
      Number(value) <= max,
  );
}
