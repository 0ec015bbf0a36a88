import { type UnexpiredLot, type UsageRow } from '@app/contracts';
import { dayMs } from '../view/dates.js';

/** A pace from fewer days would be that of one burst. */
const paceDaysMin = 3;

/** What becomes of a balance that is spent at a steady pace. */
export interface Forecast {
  /** Until nothing is left, spent or expired. */
  readonly days: number;
  /** Credits that expire before they are spent. */
  readonly unused: number;
}

/** Credits a day, from the first of the days on which any were spent; 0 when none were. */
export function pacePerDay(usage: readonly UsageRow[], today: string): number {
  const spent = usage.filter(({ credits }) => credits > 0);
  const [first] = spent.map(({ day }) => day).sort();
  if (first === undefined) return 0;
  const days = (Date.parse(today) - Date.parse(first)) / dayMs + 1;
  return spent.reduce((sum, { credits }) => sum + credits, 0) / Math.max(paceDaysMin, days);
}

/** `lots`: in the order in which they are spent. `null` without a pace or without credits. */
export function forecast(lots: readonly UnexpiredLot[], pace: number, now: number): Forecast | null {
  const left = lots.filter(({ remaining }) => remaining > 0);
  if (pace <= 0 || left.length === 0) return null;
  let days = 0;
  let unused = 0;
  for (const { remaining, expires_at } of left) {
    const untilExpiry = Math.max(days, (Date.parse(expires_at) - now) / dayMs);
    const spent = Math.min(remaining, pace * (untilExpiry - days));
    unused += remaining - spent;
    days = spent < remaining ? untilExpiry : days + remaining / pace;
  }
  return { days, unused: Math.round(unused) };
}
