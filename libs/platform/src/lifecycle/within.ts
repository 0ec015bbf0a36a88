import { setTimeout as delay } from 'node:timers/promises';

/** Resolves with the work, or when `ms` are over, whichever is sooner; throws what the work throws in that time. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(ms, undefined, timeout).catch(() => undefined)]);
  } finally {
    timeout.abort();
  }
}
