import { setImmediate as turn } from 'node:timers/promises';

/**
 * Looks in each turn of the event loop whether something holds by now, so that a short moment is not missed. Fails when it has not
 * held within so long; what the check throws, it throws.
 */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`did not come to hold: ${holds.toString()}`);
    await turn();
  }
}
