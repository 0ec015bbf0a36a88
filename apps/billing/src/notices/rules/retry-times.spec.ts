import fc from 'fast-check';
import { deliveredForMs, nextAttemptAt } from './retry-times.js';

const createdAt = new Date(Date.UTC(2026, 0, 1));

/** The delays of a delivery whose every attempt fails after `tookMs`. */
function delaysOf(tookMs: number): number[] {
  const delays: number[] = [];
  let now = createdAt;
  for (let attempts = 1; ; attempts += 1) {
    const ended = new Date(now.getTime() + tookMs);
    const next = nextAttemptAt({ attempts, createdAt, now: ended });
    if (next === null) return delays;
    delays.push(next.getTime() - ended.getTime());
    now = next;
  }
}

it('a delivery is tried again soon at first, then less and less often, for three days', () => {
  expect(delaysOf(0).map((ms) => ms / 1_000)).toEqual([
    5,
    30,
    120,
    600,
    1_800,
    3_600,
    10_800,
    21_600,
    ...Array<number>(5).fill(43_200),
  ]);
});

it('however long its attempts take, it ends, and no attempt begins after three days', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3_600_000 }), (tookMs) => {
      const delays = delaysOf(tookMs);
      const lastAt = delays.reduce((sum, ms) => sum + ms + tookMs, 0);
      expect(lastAt).toBeLessThanOrEqual(deliveredForMs);
      expect(delays.length).toBeGreaterThanOrEqual(8);
      expect(delays.toSorted((one, other) => one - other)).toEqual(delays);
    }),
  );
});

it('a delivery is tried until it is three days old, to the millisecond', () => {
  // The next attempt is twelve hours later.
  const lastFailure = createdAt.getTime() + deliveredForMs - 12 * 3_600_000;
  const after = (ms: number) => nextAttemptAt({ attempts: 12, createdAt, now: new Date(ms) });
  expect(after(lastFailure)).toEqual(new Date(createdAt.getTime() + deliveredForMs));
  expect(after(lastFailure + 1)).toBeNull();
});
