import { type CreatorRecord, type NextPage, platforms, type SearchRequest } from '@app/contracts';
import { eventually, expectEqual, propertyRuns } from '@app/testing';
import fc from 'fast-check';
import {
  type CatalogFixture,
  type EngineName,
  engineNames,
  openCatalog,
  siteUrl,
} from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { bruteForce } from './brute-force.fixture.js';
import { checkThroughChanges } from './changed-catalog.fixture.js';
import { nameWords, searchArbitrary } from './random-catalog.fixture.js';
import { toCriteria } from './search.controller.js';

interface Entry {
  readonly slug: string;
  readonly platforms: object[];
}

let catalog: CatalogFixture;

async function searchWith(engine: EngineName, request: Partial<SearchRequest>) {
  const page = await catalog.engines[engine].search(toCriteria({ limit: 50, ...request }));
  const entries = JSON.parse(page.creators.toString()) as Entry[];
  expect(page.returned).toBe(entries.length);
  return { total: page.total, entries };
}

/** The slugs of all pages of this size, each page starting where the previous one says. */
async function readPages(
  engine: EngineName,
  request: Partial<SearchRequest>,
  limit: number,
): Promise<string[]> {
  const slugs: string[] = [];
  let total: number | undefined;
  for (let next: NextPage | null | undefined; next !== null;) {
    const after = next && {
      after_slug: next.slug,
      ...(next.updated_at === null ? {} : { after_updated_at: next.updated_at }),
    };
    const page = await catalog.engines[engine].search(toCriteria({ ...request, limit, ...after }));
    expect(page.total).toBe((total ??= page.total));
    slugs.push(...(JSON.parse(page.creators.toString()) as Entry[]).map(({ slug }) => slug));
    next = page.next;
  }
  return slugs;
}

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

function entryOf(record: CreatorRecord) {
  return {
    slug: record.slug,
    name: record.name,
    url: `${siteUrl}/creators/${record.slug}`,
    country: record.country,
    total_reach: record.platforms.reduce((sum, { followers }) => sum + followers, 0),
    platforms: record.platforms.map(({ platform, handle, url, followers }) => ({
      platform,
      handle: `@${handle.replace(/^@/, '')}`,
      url: url ?? (expect.stringContaining('https://') as string),
      followers,
    })),
  };
}

describe('compared with a brute force over random catalogs', () => {
  const queriesPerCatalog = propertyRuns(40);

  async function compare(records: readonly CreatorRecord[], request: SearchRequest): Promise<number> {
    const expected = bruteForce(records, request);
    for (const engine of engineNames) {
      const { total, entries } = await searchWith(engine, request);
      const first = expected.slice(0, request.limit).map(entryOf);
      expectEqual({ engine, total, entries }, { engine, total: expected.length, entries: first });
    }
    return expected.length;
  }

  async function compareMany(records: readonly CreatorRecord[], seed: number): Promise<void> {
    const some: boolean[] = [];
    await fc.assert(
      fc.asyncProperty(searchArbitrary, async (request) => {
        some.push((await compare(records, request)) > 0);
      }),
      { numRuns: queriesPerCatalog, seed },
    );
    // Queries that all find nothing would prove nothing.
    expect(some.filter(Boolean).length).toBeGreaterThan(queriesPerCatalog / 5);
    for (const q of nameWords) await compare(records, { q, limit: 100 });
    for (const platform of platforms) await compare(records, { platform, limit: 100 });
    for (const engine of engineNames) {
      const all = bruteForce(records, { limit: 100 }).map(({ slug }) => slug);
      expect(await readPages(engine, {}, 7)).toEqual(all);
    }
    await compare(records, { limit: 100 });
  }

  it.each([
    { seed: 1, preferIndexes: false },
    { seed: 3, preferIndexes: true },
  ])(
    `both engines give the same total, order and content for ${queriesPerCatalog} queries, before and after changes, %j`,
    async (catalogOptions) => {
      await checkThroughChanges(catalogOptions, async (opened, records, seed) => {
        catalog = opened;
        await compareMany(records, seed);
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

describe.each(engineNames)('a search with the %s engine', (engine) => {
  const search = (request: Partial<SearchRequest>) => searchWith(engine, request);
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
      expect(await readPages(engine, {}, limit)).toEqual(['mixed', 'tie-a', 'tie-b', 'old', 'bare']);
      expect(await readPages(engine, { min_followers: 1 }, limit)).toEqual([
        'mixed',
        'tie-a',
        'tie-b',
        'old',
      ]);
      expect(await readPages(engine, { q: 'nobody' }, limit)).toEqual([]);
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
