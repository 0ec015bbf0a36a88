import { dayMs, daysDefault, daysMax, firstDay, type ServiceError } from '#contracts';
import { invalidRequest } from './errors.js';

/** Days of a report. */
export interface Days {
  /** `YYYY-MM-DD`, UTC, inclusive. */
  readonly from: string;
  readonly to: string;
}

/** The days of a usage report: the last 30 up to `to` (today) unless given; at most 366, none before 2000. */
export function usageRange(from: string | undefined, to: string | undefined, now: Date): Days {
  const last = to ?? dayOf(now.getTime());
  const first = from ?? dayOf(Date.parse(last) - (daysDefault - 1) * dayMs);
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + 1;
  if (first < firstDay) throw invalidRange(`from must not be before ${firstDay}: give it, or a later to`);
  if (days < 1) throw invalidRange('from must not be later than to');
  if (days > daysMax) throw invalidRange(`from and to must not span more than ${daysMax} days`);
  return { from: first, to: last };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function invalidRange(problem: string): ServiceError {
  return invalidRequest({ from: [problem], to: [problem] });
}
