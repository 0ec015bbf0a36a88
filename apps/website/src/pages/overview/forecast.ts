import { type Lot, type UsageRow } from '#contracts';
import { dayMs } from '../../view/dates.js';

/** With fewer days of use, the pace would be that of a first try, or of one burst. */
const paceDaysMin = 3;

/** The future of a balance that is spent at a steady pace. */
export interface Forecast {
  /** Until nothing is left, spent or expired. */
  readonly days: number;
  /** Whether the last credits are spent, and do not expire. */
  readonly isSpent: boolean;
  /** Credits that expire before they are spent; those bought in the last three days not counted. */
  readonly unused: number;
}

/** Credits a day since the first of the days on which any were spent; 0 until three whole days have passed from then on. */
export function pacePerDay(usage: readonly UsageRow[], now: number): number {
  const spent = usage.filter(({ credits }) => credits > 0);
  const [first] = spent.map(({ day }) => day).sort();
  if (first === undefined) return 0;
  const days = (now - Date.parse(first)) / dayMs;
  return days < paceDaysMin ? 0 : spent.reduce((sum, { credits }) => sum + credits, 0) / days;
}

/** `lots`: in the order in which they are spent. `null` without a pace or without credits. */
export function forecast(lots: readonly Lot[], pace: number, now: number): Forecast | null {
  const left = lots.filter(({ remaining }) => remaining > 0);
  if (pace <= 0 || left.length === 0) return null;
  let days = 0;
  let isSpent = true;
  let unused = 0;
  for (const { remaining, purchased_at, expires_at } of left) {
    const untilExpiry = Math.max(days, (Date.parse(expires_at) - now) / dayMs);
    const spent = Math.min(remaining, pace * (untilExpiry - days));
    isSpent = spent === remaining;
    if (now - Date.parse(purchased_at) >= paceDaysMin * dayMs) unused += remaining - spent;
    days = isSpent ? days + remaining / pace : untilExpiry;
  }
  return { days, isSpent, unused: Math.round(unused) };
}
