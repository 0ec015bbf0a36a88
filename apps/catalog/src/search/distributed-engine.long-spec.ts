import { isCitusWithinReach, startCitus } from '#testing';
import { checkThroughChanges } from './compared-engines.fixture.js';

it.each([
  { seed: 1, preferIndexes: false },
  { seed: 3, preferIndexes: true },
])(
  'on creators distributed over two workers, searches, filters and look-ups find what a brute force finds, before and after changes, %j',
  async (options) => {
    if (!(await isCitusWithinReach())) {
      process.stderr.write('This machine lacks Citus: nothing was tried.\n');
      return;
    }
    await checkThroughChanges({ ...options, citus: await startCitus() });
  },
  300_000,
);
