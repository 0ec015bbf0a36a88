/** What properties and random histories need, without the servers and databases of the other tests. */
import { isDeepStrictEqual } from 'node:util';

/**
 * The seed of everything random in tests: `TEST_SEED`, by default the same in every run, so that a failure is one of the
 * change that is tested. `npm run test:long` takes a new one each time.
 */
export function testSeed(): number {
  return Number(process.env.TEST_SEED ?? 1);
}

/** How often a property is tried: `short` times, or `PROPERTY_SCALE` times as often, as `npm run test:long` does. */
export function propertyRuns(short: number): number {
  return short * Number(process.env.PROPERTY_SCALE ?? 1);
}

/** How many random histories a ledger test runs, and from which seed: a short run, unless `LEDGER_RUNS` says otherwise; `LEDGER_SEED` takes another seed than `TEST_SEED`. */
export function ledgerRuns(shortRun: number): { runs: number; seed: number } {
  const { LEDGER_RUNS: runs = shortRun, LEDGER_SEED: seed = testSeed() } = process.env;
  return { runs: Number(runs), seed: Number(seed) };
}

/** Whole numbers from 0 to below a bound, always the same ones for a seed. */
export function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** Expects equal values. `toEqual` takes a hundred times as long and is used only to show a difference. */
export function expectEqual(found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  expect(found).toEqual(expected);
}
