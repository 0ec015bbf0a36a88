const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

const second = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

export const dayMs = 86_400_000;

/** `22 Nov`, of a day or a time in UTC. */
export function formatDay(at: string): string {
  return dayOfYear.format(new Date(at));
}

/** `22 Nov 2026`, in UTC. */
export function formatDate(at: string): string {
  return date.format(new Date(at));
}

/** `22 Nov 2026, 14:05 UTC`. */
export function formatMoment(at: string): string {
  return `${moment.format(new Date(at))} UTC`;
}

/** Formats a time with seconds, where it is evidence. */
export function formatSecond(at: string): string {
  return `${second.format(new Date(at))} UTC`;
}

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
