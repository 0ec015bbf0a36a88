import { setTimeout as delay } from 'node:timers/promises';
import { StartError, messageOf } from '../errors.js';
import { type Logger } from '../logger.js';

interface RetryOptions {
  /** The dependency and its address, for the log. */
  readonly what: string;
  readonly logger: Logger;
  readonly timeoutMs: number;
}

const retryDelayMs = 250;
const logEveryMs = 30_000;

/**
 * Retries `attempt` while a dependency is not up yet. Logs the reason first, when it changes, and every 30 s. Throws
 * `StartError` with the last reason after `timeoutMs`.
 */
export async function withRetries<Result>(
  { what, logger, timeoutMs }: RetryOptions,
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
      if (now - startedAt > timeoutMs) {
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

/** Resolves when the work does or after `ms`, whichever is sooner; rejects if the work rejects in that time. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(ms, undefined, timeout).catch(() => undefined)]);
  } finally {
    timeout.abort();
  }
}
