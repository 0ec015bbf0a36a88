import { isISO8601 } from 'class-validator';

/** The largest value of a column of type `integer`. */
export const int4Max = 2_147_483_647;

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const sha256 = /^[0-9a-f]{64}$/;
const zonedTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const day = /^\d{4}-\d{2}-\d{2}$/;

/** A UUID in lower case: ids are compared as strings, so they have one form. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value);
}

/** A SHA-256 in 64 lower-case hexadecimal digits. */
export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && sha256.test(value);
}

/** An instant, ISO 8601 with `Z` or an offset: without one, it would depend on the machine's time zone. */
export function isZonedTime(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    zonedTime.test(value) &&
    isISO8601(value, { strict: true }) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** A calendar day that exists, `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  return typeof value === 'string' && day.test(value) && isISO8601(value, { strict: true });
}

/** A string of at most `lengthMax` Unicode characters without NUL, which PostgreSQL can't store. */
export function isText(value: unknown, lengthMax: number): value is string {
  if (typeof value !== 'string' || value.includes('\0')) return false;
  return value.length <= lengthMax || (value.length <= 2 * lengthMax && [...value].length <= lengthMax);
}
