import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 20;

/**
 * Retries `attempt` until it succeeds and returns its result. Fails with the last error after a time limit, by default
 * a second.
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
