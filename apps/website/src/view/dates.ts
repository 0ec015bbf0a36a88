import { dayMs } from '#contracts';

/** Formats days and times, ISO 8601, as they are in UTC. */
function formatter(parts: Intl.DateTimeFormatOptions): (at: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' });
  return (at) => format.format(new Date(at));
}

/** `22 Nov`. */
export const formatDay = formatter({ day: 'numeric', month: 'short' });

/** `22 Nov 2026`. */
export const formatDate = formatter({ dateStyle: 'medium' });

/** `22 Nov 2026, 14:05`. */
export const formatMoment = formatter({ dateStyle: 'medium', timeStyle: 'short' });

/** `22 Nov 2026, 14:05:09`, where a time is evidence. */
export const formatSecond = formatter({ dateStyle: 'medium', timeStyle: 'medium' });

/** The day of a time, `YYYY-MM-DD` UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** All days from one to another, both inclusive. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(dayOf(at));
  return days;
}

/** The last `count` days up to today. */
export function lastDays(count: number, now: number): string[] {
  return daysBetween(dayOf(now - (count - 1) * dayMs), dayOf(now));
}
