import { setTimeout as delay } from 'node:timers/promises';

/** Resolves when the work does or after `ms`, whichever is sooner; rejects if the work rejects in that time. */
export async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([work, delay(ms, undefined, timeout).catch(() => undefined)]);
  } finally {
    timeout.abort();
  }
}
