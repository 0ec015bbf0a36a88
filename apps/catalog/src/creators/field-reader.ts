/** A record that breaks a rule; the message is a sentence that begins with the field. */
export class RecordError extends Error {
  override readonly name = 'RecordError';

  constructor(
    readonly field: string,
    problem: string,
  ) {
    super(`${field} ${problem}`);
  }
}

interface TextRule {
  readonly lengthMax: number;
  /** Line breaks and tabs are let through. */
  readonly multiline?: boolean;
}

/** Throws for a field that is not in `known`: a typo must not be dropped silently. */
export function refuseUnknownFields(object: object, known: readonly string[], of: string): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new RecordError(of + printable(unknown), `is not a known field; the fields are ${known.join(', ')}`);
}

/** An untrusted name for display: truncated, and quoted with escapes unless it is plain. */
function printable(name: string): string {
  return /^[\w-]{1,60}$/.test(name) ? name : JSON.stringify(name.slice(0, 60));
}

/** A non-blank string, trimmed, of at most `lengthMax` Unicode characters. */
export function readText(value: unknown, field: string, rule: TextRule): string {
  if (value === undefined) throw new RecordError(field, 'is missing');
  if (typeof value !== 'string') throw new RecordError(field, 'must be a string');
  const text = value.trim();
  if (text === '') throw new RecordError(field, 'must not be blank');
  checkCharacters(text, field, rule);
  return text;
}

/** Like `readText`, but blank is allowed. */
export function readOptionalText(value: unknown, field: string, rule: TextRule): string {
  if (value === undefined || (typeof value === 'string' && value.trim() === '')) return '';
  return readText(value, field, rule);
}

function checkCharacters(text: string, field: string, { lengthMax, multiline = false }: TextRule): void {
  if (text.length > lengthMax && [...text].length > lengthMax) {
    throw new RecordError(field, `must have at most ${lengthMax} characters`);
  }
  if (!text.isWellFormed()) throw new RecordError(field, 'contains half of a surrogate pair');
  const controls = multiline ? text.replace(/[\n\r\t]/g, '') : text;
  if (/\p{Cc}/u.test(controls)) throw new RecordError(field, 'must not contain control characters');
}

export function readBoolean<Default>(value: unknown, field: string, absent: Default): boolean | Default {
  if (value === undefined) return absent;
  if (typeof value !== 'boolean') throw new RecordError(field, 'must be true or false');
  return value;
}

export function readList(value: unknown, field: string, lengthMax: number): unknown[] {
  if (value === undefined) throw new RecordError(field, 'is missing; an empty list is []');
  if (!Array.isArray(value)) throw new RecordError(field, 'must be a list');
  if (value.length > lengthMax) throw new RecordError(field, `must have at most ${lengthMax} entries`);
  return value;
}

/** A URL that a browser may open: http or https only, so that it can't run code. */
export function readUrl(value: unknown, field: string): string {
  const text = readText(value, field, { lengthMax: 2_000 });
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw new RecordError(field, 'must be a URL that starts with http:// or https://');
  }
  return text;
}

/** A whole number from 0 to 2^53 - 1. */
export function readCount(value: unknown, field: string): number {
  if (value === undefined) throw new RecordError(field, 'is missing');
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new RecordError(field, `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return value;
}

/** ISO 8601 to the minute or finer, with its zone: `Z`, `+05:30`, `+0530` or `+05`. */
const timestamp =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;
/** The form in which most timestamps come. */
const usualTimestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const aheadMsMax = 5 * 60_000;

/** An instant, not more than 5 minutes ahead of `now`; returned in UTC, truncated to milliseconds. */
export function readTimestamp(value: unknown, field: string, now: Date): string {
  if (value === undefined) throw new RecordError(field, 'is missing');
  const instant = typeof value === 'string' ? instantOf(value) : null;
  if (instant === null) {
    throw new RecordError(field, 'must be a date and time with a zone, like 2024-05-31T12:00:00Z');
  }
  if (instant.getTime() > now.getTime() + aheadMsMax) throw new RecordError(field, 'is in the future');
  return instant.toISOString();
}

function instantOf(text: string): Date | null {
  if (usualTimestamp.test(text)) {
    const instant = new Date(text);
    // A day that does not exist is parsed as another one; year 0 takes the slow path.
    const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text.slice(0, 10));
    if (isReal && instant.getUTCFullYear() >= 1) return instant;
  }
  const match = timestamp.exec(text);
  if (!match) return null;
  const [, year = '', month = '', day = '', time = '', hours, minutes = '00'] = match;
  if (!isDay(Number(year), Number(month), Number(day))) return null;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const instant = new Date(`${year}-${month}-${day}T${time.replace(',', '.')}${zone}`);
  // PostgreSQL has no year 0: a zone east of Greenwich can reach it from the first day of year 1.
  return instant.getUTCFullYear() >= 1 ? instant : null;
}

/** Whether the calendar has this day: `Date` would turn February 30th into March. */
function isDay(year: number, month: number, day: number): boolean {
  return (
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  );
}
