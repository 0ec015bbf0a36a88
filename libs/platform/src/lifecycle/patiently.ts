import { setTimeout as delay } from 'node:timers/promises';
import { type Logger } from '../logging/logger.js';

interface Patience {
  /** What is waited for, for the log. */
  readonly what: string;
  readonly logger: Logger;
  readonly patienceMs: number;
}

const retryDelayMs = 250;
const logEveryMs = 5_000;

/**
 * Repeats what fails while a dependency is merely late, and says so every 5 s; raises its last error once `patienceMs` have
 * passed.
 */
export async function patiently<Result>(
  { what, logger, patienceMs }: Patience,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  for (let loggedAt = -Infinity; ;) {
    try {
      return await attempt();
    } catch (error) {
      const now = performance.now();
      if (now - startedAt > patienceMs) throw error;
      if (now - loggedAt > logEveryMs) {
        logger.warn({ err: error, seconds: Math.round((now - startedAt) / 1_000) }, `waiting for ${what}`);
        loggedAt = now;
      }
      await delay(retryDelayMs);
    }
  }
}
