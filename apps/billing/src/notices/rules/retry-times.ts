const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Between the attempts; the last one is repeated. */
const delaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
];
/** From the notice to its last attempt. */
export const deliveredForMs = 3 * 24 * hour;

interface Attempted {
  /** Attempts so far, the failed one included. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly now: Date;
}

/** When a delivery that has just failed is tried again; `null`: never, because it would be more than three days old. */
export function nextAttemptAt({ attempts, createdAt, now }: Attempted): Date | null {
  const delayMs = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
  const next = new Date(now.getTime() + delayMs);
  return next.getTime() - createdAt.getTime() > deliveredForMs ? null : next;
}
