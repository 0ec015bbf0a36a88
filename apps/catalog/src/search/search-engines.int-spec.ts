import { type SearchRequest } from '#contracts';
import { eventually } from '#testing';
import { type CatalogFixture, engineNames, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { checkThroughChanges } from './changed-catalog.fixture.js';
import { compareFilters } from './compared-filters.fixture.js';
import { compareLookUps, type Lookup, lookupsFor } from './compared-look-ups.fixture.js';
import { compareSearches, queriesPerCatalog, readPages, searchWith } from './compared-searches.fixture.js';
import { foundByKeyword, namesOfScripts } from './names-of-scripts.fixture.js';
import { toCriteria } from './search.controller.js';

let catalog: CatalogFixture;

const searchIndexes = [
  'creators_by_text',
  'creators_of_country',
  'creators_of_category',
  'creators_of_language',
];

/** A connection reports its statements once it has been idle for 10 s, unless it has something to do after a second. */
const statisticsWithinMs = 20_000;

/** The indexes that this catalog's statements have read so far. */
async function usedIndexes(): Promise<string[]> {
  await catalog.query('SELECT pg_stat_force_next_flush()');
  const rows = await catalog.query<{ name: string }>(
    "SELECT indexrelname AS name FROM pg_stat_user_indexes WHERE relname = 'creators' AND idx_scan > 0",
  );
  return rows.map(({ name }) => name);
}

describe('compared with a brute force over random catalogs', () => {
  it.each([
    { seed: 1, preferIndexes: false },
    { seed: 3, preferIndexes: true },
  ])(
    `both engines give the same results for ${queriesPerCatalog} queries, all filters and look-ups, before and after changes, %j`,
    async (catalogOptions) => {
      let lookups: Lookup[] | undefined;
      await checkThroughChanges(catalogOptions, async (opened, records, seed) => {
        catalog = opened;
        await compareSearches(catalog, records, seed);
        await compareFilters(catalog, records);
        await compareLookUps(catalog, records, (lookups ??= lookupsFor(records)));
        if (!catalogOptions.preferIndexes) return;
        await eventually(
          async () => expect(await usedIndexes()).toEqual(expect.arrayContaining(searchIndexes)),
          statisticsWithinMs,
        );
      });
    },
    120_000,
  );
});

describe('names in many scripts', () => {
  beforeAll(async () => {
    catalog = await openCatalog();
    const records = namesOfScripts.map((name, number) => recordOf(`n${number}`, { name, platforms: [] }));
    expect(await catalog.importRecords(records)).toMatchObject({ created: namesOfScripts.length });
  });
  afterAll(() => catalog.close());

  it.each(engineNames)(
    'are found by the %s engine as people type them, and no others are',
    async (engine) => {
      const found: unknown[] = [];
      for (const [q] of foundByKeyword) {
        const { entries } = await searchWith(catalog.engines[engine], { q });
        found.push([q, ...entries.map(({ name }) => name).toSorted()]);
      }
      expect(found).toEqual(foundByKeyword.map(([q, ...names]) => [q, ...names.toSorted()]));
    },
  );
});

describe.each(engineNames)('a search with the %s engine', (engine) => {
  const search = (request: Partial<SearchRequest>) => searchWith(catalog.engines[engine], request);
  const slugsOf = async (request: Partial<SearchRequest>) =>
    (await search(request)).entries.map(({ slug }) => slug);

  beforeAll(async () => {
    catalog = await openCatalog();
    await catalog.importRecords([
      recordOf('old', { platforms: [accountOf({ updated_at: '2020-01-01T00:00:00Z' })] }),
      recordOf('mixed', {
        platforms: [
          accountOf({ platform: 'x', followers: 10, updated_at: '2019-01-01T00:00:00Z' }),
          accountOf({ followers: 5, updated_at: '2024-01-01T00:00:00Z' }),
        ],
      }),
      recordOf('tie-b', {
        platforms: [accountOf({ platform: 'tiktok', updated_at: '2021-01-01T00:00:00Z' })],
      }),
      recordOf('tie-a', {
        platforms: [accountOf({ platform: 'tiktok', updated_at: '2021-01-01T00:00:00Z' })],
      }),
      recordOf('bare', { platforms: [] }),
      recordOf('hidden', { published: false }),
    ]);
  });
  afterAll(() => catalog.close());

  it('compares followers in total, or on the platform if given; both bounds are inclusive', async () => {
    expect(await slugsOf({ min_followers: 15, max_followers: 15 })).toEqual(['mixed']);
    expect(await slugsOf({ min_followers: 10, max_followers: 10, platform: 'x' })).toEqual(['mixed']);
    expect(await slugsOf({ min_followers: 15, platform: 'x' })).toEqual([]);
    expect(await slugsOf({ max_followers: 0 })).toEqual(['bare']);
    expect(await slugsOf({ min_followers: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it.each([1, 2, 3, 5, 100])(
    'reads all in pages of %d: newest data first, ties by slug, creators without platforms last',
    async (limit) => {
      expect(await readPages(catalog.engines[engine], {}, limit)).toEqual([
        'mixed',
        'tie-a',
        'tie-b',
        'old',
        'bare',
      ]);
      expect(await readPages(catalog.engines[engine], { min_followers: 1 }, limit)).toEqual([
        'mixed',
        'tie-a',
        'tie-b',
        'old',
      ]);
      expect(await readPages(catalog.engines[engine], { q: 'nobody' }, limit)).toEqual([]);
    },
  );

  it('continues after a creator that no longer exists, and has the total on an empty last page', async () => {
    const after = (slug: string, updatedAt?: string) =>
      catalog.engines[engine].search(
        toCriteria({
          limit: 1,
          after_slug: slug,
          ...(updatedAt === undefined ? {} : { after_updated_at: updatedAt }),
        }),
      );
    expect(await after('tie-aa', '2021-01-01T00:00:00Z')).toMatchObject({
      total: 5,
      next: { slug: 'tie-b', updated_at: '2021-01-01T00:00:00.000Z' },
    });
    expect(await after('bare')).toMatchObject({ total: 5, returned: 0, next: null });
  });

  it('counts what is on its page, also while creators change', async () => {
    let isChanging = true;
    const change = async () => {
      for (let time = 0; time < 40; time++) await catalog.creators.publish('tie-a', time % 2 === 1);
      isChanging = false;
    };
    const changes = change();
    const totals = new Set<number>();
    while (isChanging) {
      const { total, entries } = await search({});
      expect(total).toBe(entries.length);
      totals.add(total);
    }
    await changes;
    expect([...totals].toSorted()).toEqual([4, 5]);
  });

  it('shows every earlier commit: a creator that was stored, hidden, renamed or deleted', async () => {
    await catalog.importRecords([recordOf('fresh', { name: 'Freshly made' })]);
    expect(await slugsOf({ q: 'freshly' })).toEqual(['fresh']);
    await catalog.creators.publish('fresh', false);
    expect(await slugsOf({ q: 'freshly' })).toEqual([]);
    await catalog.creators.publish('fresh', true);
    expect(await slugsOf({ q: 'freshly' })).toEqual(['fresh']);
    await catalog.importRecords([recordOf('fresh', { name: 'Renamed' })]);
    expect(await slugsOf({ q: 'freshly' })).toEqual([]);
    await catalog.creators.remove('fresh');
    expect(await slugsOf({ q: 'renamed' })).toEqual([]);
  });
});
