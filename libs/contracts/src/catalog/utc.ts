import { isDay } from '../shape/formats.js';

/** ISO 8601 to the minute or finer, with its zone: `Z`, `+05:30`, `+0530` or `+05`. */
const instant =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:Z|([+-]\d{2})(?::?(\d{2}))?)$/;
/** The form in which most instants come. */
const usual = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

/** An instant in UTC, truncated to milliseconds; `null` for a text that is none, or of a year before 1. */
export function utcOf(text: string): string | null {
  if (usual.test(text)) {
    const utc = isoOf(text);
    // A day that does not exist is parsed as another one; year 0 takes the slow path.
    if (utc !== null && utc.startsWith(text.slice(0, 10)) && !utc.startsWith('0000')) return utc;
  }
  const [, day, time = '', hours, minutes = '00'] = instant.exec(text) ?? [];
  if (!isDay(day) || day.startsWith('0000')) return null;
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`;
  const utc = isoOf(`${day}T${time.replace(',', '.')}${zone}`);
  // PostgreSQL has no year 0: a zone east of Greenwich can reach it from the first day of year 1.
  return utc === null || !/^(?!0000)\d{4}-/.test(utc) ? null : utc;
}

function isoOf(text: string): string | null {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
