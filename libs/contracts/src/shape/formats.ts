/** The largest value of a column of type `integer`. */
export const int4Max = 2_147_483_647;

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const sha256 = /^[0-9a-f]{64}$/;
const zonedTime = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
const day = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a JSON value is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A UUID in lower case: ids are compared as strings, so they have one form. */
export function isId(value: unknown): value is string {
  return typeof value === 'string' && id.test(value);
}

/** A SHA-256 in 64 lower-case hexadecimal digits. */
export function isSha256(value: unknown): value is string {
  return typeof value === 'string' && sha256.test(value);
}

/** The first day of any date that is given. */
export const firstDay = '2000-01-01';
/** The last one: PostgreSQL and the order of texts differ after it. */
export const lastDay = '9999-12-31';
export const dayMs = 86_400_000;
const firstInstant = Date.parse(firstDay);
const endOfTime = Date.parse(lastDay) + dayMs;

/** The instant in UTC and in milliseconds; `null`: it is not on a day from 2000-01-01 to 9999-12-31, UTC. */
function inUtc(time: string | number): string | null {
  const instant = new Date(time).getTime();
  if (!(instant >= firstInstant && instant < endOfTime)) return null;
  return new Date(instant).toISOString();
}

/** An instant from 2000 to 9999, ISO 8601 with `Z` or an offset: without one, it would depend on the machine's time zone. */
export function isZonedTime(value: unknown): value is string {
  const match = typeof value === 'string' ? zonedTime.exec(value) : null;
  return match !== null && isCalendarDay(match[1]) && inUtc(match[0]) !== null;
}

/** ISO 8601 to the minute or finer, with its zone: `Z`, `+05:30`, `+0530` or `+05`. */
const anyZonedTime =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;
/** The form in which most times come. */
const usualTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

/**
 * An instant in any common form of ISO 8601 with a zone, in UTC and truncated to milliseconds. `null`: it is none, or not on a day
 * from 2000-01-01 to 9999-12-31.
 */
export function utcTime(text: string): string | null {
  if (usualTime.test(text)) {
    const time = inUtc(text);
    // `Date` turns a day that does not exist into another one.
    if (time?.startsWith(text.slice(0, 10))) return time;
  }
  const [, date, time = '', hours, minutes = '00'] = anyZonedTime.exec(text) ?? [];
  if (!isCalendarDay(date)) return null;
  return inUtc(`${date}T${time.replace(',', '.')}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

/** The end of a day in UTC, as the instant from which something no longer holds; `null`: it is after the last day. */
export function endOfDay(day: string): string | null {
  return inUtc(Date.parse(day) + dayMs);
}

/** Where a day begins first: at UTC+14. */
export const furthestEastMs = 14 * 3_600_000;

/**
 * The instant, UTC, of a day or a time that has been: of a day its beginning, and now while it has begun only further east. `null`:
 * it lies in the future, for a time by more than `aheadMs`.
 */
export function pastTime(dayOrTime: string, now: Date, aheadMs = 0): string | null {
  const [at, latest] = [Date.parse(dayOrTime), now.getTime()];
  if (!isCalendarDay(dayOrTime)) return at <= latest + aheadMs ? inUtc(at) : null;
  return at <= latest + furthestEastMs ? inUtc(Math.min(at, latest)) : null;
}

/** A calendar day from 2000-01-01 to 9999-12-31, as `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  return isCalendarDay(value) && value >= firstDay;
}

/** A calendar day that exists, `YYYY-MM-DD`: `Date` would turn February 30th into March. */
function isCalendarDay(value: unknown): value is string {
  const match = typeof value === 'string' ? day.exec(value) : null;
  if (!match) return false;
  const [year, month, date] = match.slice(1).map(Number) as [number, number, number];
  return (
    month >= 1 &&
    month <= 12 &&
    date >= 1 &&
    date <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  );
}

/** A string of at most `max` Unicode characters without NUL, which PostgreSQL can't store. */
export function isText(value: unknown, max: number): value is string {
  if (typeof value !== 'string' || value.includes('\0')) return false;
  return value.length <= max || (value.length <= 2 * max && [...value].length <= max);
}

/** Most texts. */
const isPrintableAscii = /^[ -~]*$/;

/** PostgreSQL can store neither NUL nor half of a surrogate pair. */
export function isPlainText(value: unknown, min: number, max: number, multiline: boolean): value is string {
  if (!isText(value, max)) return false;
  if (isPrintableAscii.test(value)) return value.length >= min;
  if (!value.isWellFormed()) return false;
  if (value.length < 2 * min && [...value].length < min) return false;
  return !/\p{Cc}/u.test(multiline ? value.replace(/[\n\r\t]/g, '') : value);
}

/** No body of ours is a quarter as deep. */
export const jsonDepthMax = 20;

const [quote, backslash] = ['"', '\\'];

/**
 * Whether JSON is nested so deep that what handles it afterwards, level by level, could exceed the stack. Asked before it is
 * parsed; of a text that is not JSON it says nothing of use.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === backslash) index += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > jsonDepthMax) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}
