import { type CreatorRecord } from '#contracts';
import { type CitusLayout } from '#testing';
import { type CatalogFixture, openCatalog } from '../catalog.fixture.js';
import { compareFilters } from './compared-filters.fixture.js';
import { compareLookUps, lookupsFor } from './compared-look-ups.fixture.js';
import { compareSearches } from './compared-searches.fixture.js';
import { randomCatalog } from './random-catalog.fixture.js';

interface CheckedCatalog {
  readonly seed: number;
  readonly preferIndexes?: boolean;
  readonly citus?: CitusLayout;
}

/**
 * Compares searches, filters and look-ups in a random catalog with a brute force: as it was imported, after random
 * changes, and once these are in segments.
 */
export async function checkThroughChanges(
  { seed, preferIndexes = false, citus }: CheckedCatalog,
  andThen: (catalog: CatalogFixture) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const catalog = await openCatalog({ preferIndexes, ...(citus && { citus }) });
  // Some pages are then read in their order, and others sorted.
  catalog.engines.sql.limits.frequentMatches = 30;
  try {
    const records = randomCatalog(250, seed);
    const lookups = lookupsFor(records);
    const check = async (current: readonly CreatorRecord[], part: number) => {
      await compareSearches(catalog, current, seed + 100 * part);
      await compareFilters(catalog, current);
      await compareLookUps(catalog, current, lookups);
    };
    expect(await catalog.importRecords(records)).toMatchObject({ created: 250, rejected: 0 });
    // Until then new words are in a pending list of the index, and PostgreSQL would prefer to scan the table.
    if (preferIndexes) await catalog.query('VACUUM ANALYZE creators');
    await check(records, 0);
    const changed = await changeAtRandom(catalog, records, seed);
    await check(changed, 1);
    if (catalog.engineNames.includes('bitmap')) {
      await catalog.engines.bitmap.freeze();
      await check(changed, 2);
    }
    await andThen(catalog);
  } finally {
    await catalog.close();
  }
}

/** The records after an import, publishing, hiding, deleting and removing at random; each is applied to the database too. */
async function changeAtRandom(
  catalog: CatalogFixture,
  records: CreatorRecord[],
  seed: number,
): Promise<CreatorRecord[]> {
  const others = randomCatalog(records.length, seed + 1_000);
  const replaced = records.map((record, index) => {
    if (index % 5 > 0) return record;
    const other = others[index] ?? record;
    // A record that doesn't say whether it is published leaves that unchanged.
    return { ...other, slug: record.slug, published: other.published ?? record.published ?? true };
  });
  await catalog.importRecords(replaced.filter((record, index) => record !== records[index]));
  const hidden = replaced.filter((_, index) => index % 11 === 3);
  for (const { slug } of hidden) await catalog.creators.publish(slug, false);
  const shown = hidden.filter((_, index) => index % 2 === 0);
  for (const { slug } of shown) await catalog.creators.publish(slug, true);
  const deleted = replaced.filter((_, index) => index % 13 === 5);
  for (const { slug } of deleted) await catalog.creators.remove(slug);
  // Without accounts: with a creator, all go that share an account with it, and here most do.
  const removed = replaced
    .filter((record) => record.platforms.length === 0 && !deleted.includes(record))
    .slice(0, 5);
  for (const { slug } of removed) await catalog.removals.remove({ slug, reference: 'by mail' });
  expect(await catalog.importRecords(removed)).toMatchObject({ created: 0, removed: removed.length });
  const gone = [...deleted, ...removed];
  return replaced
    .filter((record) => !gone.includes(record))
    .map((record) => (hidden.includes(record) ? { ...record, published: shown.includes(record) } : record));
}
