import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../errors/message-of.js';
import { type Logger } from '../logging/logger.js';
import { StartError } from './start-error.js';

interface Patience {
  /** The dependency and its address, for the log. */
  readonly what: string;
  readonly logger: Logger;
  readonly patienceMs: number;
}

const retryDelayMs = 250;
const logEveryMs = 30_000;

/**
 * Retries `attempt` while a dependency is not up yet. Logs the reason first, when it changes, and every 30 s. Throws
 * `StartError` with the last reason after `patienceMs`.
 */
export async function withRetries<Result>(
  { what, logger, patienceMs }: Patience,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const startedAt = performance.now();
  let logged = { at: -Infinity, reason: '' };
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const now = performance.now();
      const seconds = Math.round((now - startedAt) / 1_000);
      const reason = messageOf(error);
      if (now - startedAt > patienceMs) {
        throw new StartError(`No ${what} after ${seconds} s: ${reason}`, { cause: error });
      }
      if (reason !== logged.reason || now - logged.at > logEveryMs) {
        logger.warn({ reason, seconds }, `waiting for ${what}`);
        logged = { at: now, reason };
      }
      await delay(retryDelayMs);
    }
  }
}
