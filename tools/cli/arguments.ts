import { endOfDay, isDay, isZonedTime } from '#contracts';
import { InvalidArgumentError } from 'commander';

const money = /^\$?(\d{1,9})(?:\.(\d{2}))?$/;

/** Dollars as a person writes them (`1800`, `1800.50`, `$1800`) in US cents. */
export function parseDollars(text: string): number {
  const match = money.exec(text.replaceAll(',', ''));
  if (!match) throw new InvalidArgumentError('Expected dollars, for example 1800 or 1800.50.');
  return Number(match[1]) * 100 + Number(match[2] ?? 0);
}

/** A whole number, possibly negative; commas are ignored. */
export function parseInteger(text: string): number {
  const plain = text.replaceAll(',', '');
  if (!/^[+-]?\d{1,15}$/.test(plain)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(plain);
}

/** A whole number of at least 1. */
export function parseCount(text: string): number {
  const value = parseInteger(text);
  if (value < 1) throw new InvalidArgumentError('Expected a whole number of at least 1.');
  return value;
}

/** Represents the `null` of the API: commander takes a `null` for a failed parser. */
export const none = Symbol('none');

/** When something ends: a time with a zone, the end of a day in UTC, or `never`. */
export function parseExpiry(text: string): string | typeof none {
  if (text === 'never') return none;
  const end = isDay(text) ? endOfDay(text) : null;
  if (end !== null) return end;
  if (isZonedTime(text)) return new Date(text).toISOString();
  throw new InvalidArgumentError(
    'Expected a day like 2027-01-31, a time like 2027-01-31T12:00:00Z, or never.',
  );
}

/** A whole number, or `none`. */
export function parseLimit(text: string): number | typeof none {
  return text === 'none' ? none : parseInteger(text);
}
