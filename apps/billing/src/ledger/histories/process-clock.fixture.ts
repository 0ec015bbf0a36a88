/** The skew of the process's clock, evaluated at every reading. */
export type Skew = () => number;

/**
 * Runs `work` while `Date.now()` and `new Date()` return `now()` plus the skew; timers and `performance` are
 * unaffected, as when a machine's clock is set.
 */
export async function withProcessClock<Result>(
  now: () => number,
  skew: Skew,
  work: () => Promise<Result>,
): Promise<Result> {
  const real = globalThis.Date;
  const read = (): number => now() + skew();
  globalThis.Date = new Proxy(real, {
    construct: (target, parameters) =>
      parameters.length === 0 ? new target(read()) : (Reflect.construct(target, parameters) as Date),
    get: (target, name, receiver) =>
      name === 'now' ? read : (Reflect.get(target, name, receiver) as unknown),
  });
  try {
    return await work();
  } finally {
    globalThis.Date = real;
  }
}
