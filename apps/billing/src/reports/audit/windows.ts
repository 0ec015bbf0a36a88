import { type Span, type Window } from './audit.repository.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const monthMs = 31 * dayMs;
/** Entries of a window: not more than PostgreSQL sorts in seconds, and enough that a quiet year takes few statements. */
const entriesWanted = { min: 100_000, max: 1_000_000 } as const;

/** A window with an end, and how long the one after it may be. */
export interface CutWindow extends Window {
  readonly to: Date;
  readonly nextMs: number;
}

/** The first window: what is newer than the audit before or, without one, everything up to the first account. */
export function firstWindow(until: Date | null, { cut, first }: Span, maxMs = monthMs): CutWindow | null {
  const nextMs = Math.min(dayMs, maxMs);
  if (until) return windowFrom(until, nextMs, cut);
  return { from: '-infinity', to: first && first < cut ? first : cut, nextMs };
}

/** The window after one with so many entries: twice as long where there were few, half as long where there were many. */
export function windowAfter(
  { to, nextMs }: CutWindow,
  entries: number,
  { cut }: Span,
  maxMs = monthMs,
): CutWindow | null {
  if (entries > entriesWanted.max) return windowFrom(to, Math.max(hourMs, nextMs / 2), cut);
  return windowFrom(to, entries < entriesWanted.min ? Math.min(maxMs, nextMs * 2) : nextMs, cut);
}

function windowFrom(from: Date, lengthMs: number, cut: Date): CutWindow | null {
  const to = Math.min(from.getTime() + lengthMs, cut.getTime());
  return to > from.getTime() ? { from, to: new Date(to), nextMs: lengthMs } : null;
}
