import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check that may fail at first until it holds; fails with its last reason after `withinMs`. */
export async function eventually(check: () => Promise<void>, withinMs = 1_000): Promise<void> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (reason) {
      if (performance.now() > giveUpAt) throw reason;
      await pause(40);
    }
  }
}
