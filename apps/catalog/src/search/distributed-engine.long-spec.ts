import { isCitusWithinReach, startCitus } from '#testing';
import { checkThroughChanges } from './changed-catalog.fixture.js';
import { compareFilters } from './compared-filters.fixture.js';
import { compareLookUps, type Lookup, lookupsFor } from './compared-look-ups.fixture.js';
import { compareSearches } from './compared-searches.fixture.js';

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
    let lookups: Lookup[] | undefined;
    const citus = await startCitus();
    await checkThroughChanges({ ...options, citus }, async (catalog, records, seed) => {
      await compareSearches(catalog, records, seed);
      await compareFilters(catalog, records);
      await compareLookUps(catalog, records, (lookups ??= lookupsFor(records)));
    });
  },
  300_000,
);
