import fc from 'fast-check';
import { shutdownProblems, shutdownTimes } from './shutdown-times.js';

const times = fc.record({
  SHUTDOWN_MS: fc.integer({ min: 1_000, max: 600_000 }),
  DRAIN_MS: fc.integer({ min: 0, max: 300_000 }),
  REQUEST_DEADLINE_MS: fc.integer({ min: 100, max: 25_000 }),
});

function problemOf(config: Parameters<typeof shutdownTimes>[0]): string | null {
  return shutdownProblems(config).SHUTDOWN_MS ?? null;
}

describe('the times of a shutdown', () => {
  it('follow each other and never exceed the whole; the last request has its whole deadline', () => {
    fc.assert(
      fc.property(times, (config) => {
        fc.pre(problemOf(config) === null);
        const { drainedMs, answeredMs, settledMs } = shutdownTimes(config);
        expect(drainedMs).toBe(config.DRAIN_MS);
        expect(answeredMs - drainedMs).toBeGreaterThanOrEqual(config.REQUEST_DEADLINE_MS);
        expect(settledMs).toBeGreaterThan(answeredMs);
        expect(config.SHUTDOWN_MS).toBeGreaterThan(settledMs);
      }),
    );
  });

  it('that do not fit are refused, with the smallest number that does', () => {
    fc.assert(
      fc.property(times, (config) => {
        const problem = problemOf(config);
        fc.pre(problem !== null);
        const needed = Number(/^must be at least (\d+)/.exec(problem ?? '')?.[1]);
        expect(needed).toBeGreaterThan(config.SHUTDOWN_MS);
        expect(problemOf({ ...config, SHUTDOWN_MS: needed })).toBeNull();
        expect(problemOf({ ...config, SHUTDOWN_MS: needed - 1 })).not.toBeNull();
      }),
    );
  });
});
