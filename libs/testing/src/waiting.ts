import { setTimeout as delay } from 'node:timers/promises';

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
      await delay(pauseMs);
    }
  }
}

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

/** A promise that a test fulfils: what a scripted service waits for, or what tells a test that it was asked. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
