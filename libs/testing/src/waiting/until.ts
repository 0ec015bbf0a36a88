import { setTimeout as delay } from 'node:timers/promises';

/**
 * Checks a condition every millisecond, so that a short moment is not missed. Fails after a time limit;
 * rethrows an error of the check.
 */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`not true within ${withinMs} ms: ${holds.toString()}`);
    await delay(1);
  }
}
