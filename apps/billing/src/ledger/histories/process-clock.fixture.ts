/** How far the process's own clock is off, asked at every reading. */
export type Skew = () => number;

/**
 * Runs `work` while `Date.now()` and `new Date()` say `now()` and its skew; timers and `performance` go on as ever, as they do
 * when somebody sets the clock of a machine.
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
