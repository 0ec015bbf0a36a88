const second = 1_000;
const minute = 60 * second;

/** Between the attempts; the last one is repeated. An order whose buyer has gone is granted soon after Stripe is back. */
const delaysMs = [5 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute];
/** From when an event has arrived to its last attempt. */
export const triedForMs = 3 * 24 * 60 * minute;

/** How long after so many attempts that failed the next one is made. */
export function retryDelayMs(attempts: number): number {
  return delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 5 * second;
}
