import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 20;

/**
 * Tries until `attempt` succeeds, and gives what it gives. Fails with the last reason when it has not succeeded within so long,
 * by default a second.
 */
export async function eventually<Value>(
  attempt: () => Value | Promise<Value>,
  withinMs = 1_000,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (reason) {
      if (performance.now() > giveUpAt) throw reason;
      await pause(pauseMs);
    }
  }
}
