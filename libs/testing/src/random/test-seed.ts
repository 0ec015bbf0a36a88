/**
 * The seed of everything random in tests: `TEST_SEED`, by default the same in every run, so that a failure is one of the
 * change that is tested. `npm run test:long` takes a new one each time.
 */
export function testSeed(): number {
  return Number(process.env.TEST_SEED ?? 1);
}
