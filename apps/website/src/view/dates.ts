const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayAndYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

export const dayMs = 86_400_000;
const hourMs = 3_600_000;
const minuteMs = 60_000;

/** `22 Nov`, of a day or a time in UTC. */
export function formatDay(at: string): string {
  return dayOfYear.format(new Date(at));
}

/** `22 Nov 2026`, in UTC. */
export function formatDate(at: string): string {
  return dayAndYear.format(new Date(at));
}

/** `22 Nov 2026, 14:05 UTC`. */
export function formatMoment(at: string): string {
  return `${formatDate(at)}, ${timeOfDay.format(new Date(at))} UTC`;
}

/** `22 Nov 2026, 14:05:09.123 UTC`, to be found in logs. */
export function formatExactMoment(at: string): string {
  return `${formatDate(at)}, ${new Date(at).toISOString().slice(11, -1)} UTC`;
}

/** The same without the year if it is the current one. */
export function formatShortMoment(at: string, now: number): string {
  const isThisYear = new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return isThisYear ? `${formatDay(at)}, ${timeOfDay.format(new Date(at))} UTC` : formatMoment(at);
}

/** `5 min ago`, `in 3 h`; `null` for a day or more. */
export function formatRelative(at: string, now: number): string | null {
  const distance = Date.parse(at) - now;
  const size = Math.abs(distance);
  if (size >= dayMs) return null;
  if (size < minuteMs) return distance > 0 ? 'in a moment' : 'just now';
  const words = size < hourMs ? `${Math.floor(size / minuteMs)} min` : `${Math.floor(size / hourMs)} h`;
  return distance > 0 ? `in ${words}` : `${words} ago`;
}

/** The day of a time, `YYYY-MM-DD` UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Calendar days from now to a time: the midnights (UTC) between them. */
export function calendarDaysUntil(at: string, now: number): number {
  return (Date.parse(dayOf(Date.parse(at))) - Date.parse(dayOf(now))) / dayMs;
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
