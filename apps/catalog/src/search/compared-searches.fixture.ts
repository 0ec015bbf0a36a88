import { type CreatorRecord, type NextPage, platforms, type SearchRequest } from '#contracts';
import { expectEqual, propertyRuns } from '#testing';
import fc from 'fast-check';
import { type CatalogFixture, siteUrl } from '../catalog.fixture.js';
import { bruteForce } from './brute-force.fixture.js';
import { nameWords, searchArbitrary } from './random-catalog.fixture.js';
import { toCriteria } from './search.controller.js';
import { type SearchEngine } from './search-engine.js';

export const queriesPerCatalog = propertyRuns(40);

interface Entry {
  readonly slug: string;
  readonly name: string;
  readonly platforms: object[];
}

export async function searchWith(engine: SearchEngine, request: Partial<SearchRequest>) {
  const page = await engine.search(toCriteria({ limit: 50, ...request }));
  const entries = JSON.parse(page.creators.toString()) as Entry[];
  expect(page.returned).toBe(entries.length);
  return { total: page.total, entries };
}

/** The slugs of all pages of this size, each page starting where the previous one says. */
export async function readPages(
  engine: SearchEngine,
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
    const page = await engine.search(toCriteria({ ...request, limit, ...after }));
    expect(page.total).toBe((total ??= page.total));
    slugs.push(...(JSON.parse(page.creators.toString()) as Entry[]).map(({ slug }) => slug));
    next = page.next;
  }
  return slugs;
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

async function compare(
  { engines, engineNames }: CatalogFixture,
  records: readonly CreatorRecord[],
  request: SearchRequest,
): Promise<number> {
  const expected = bruteForce(records, request);
  for (const engine of engineNames) {
    const { total, entries } = await searchWith(engines[engine], request);
    const first = expected.slice(0, request.limit).map(entryOf);
    expectEqual({ engine, total, entries }, { engine, total: expected.length, entries: first });
  }
  return expected.length;
}

/** Compares many searches, and all pages of one, with a brute force; with every engine that the catalog may use. */
export async function compareSearches(
  catalog: CatalogFixture,
  records: readonly CreatorRecord[],
  seed: number,
): Promise<void> {
  const some: boolean[] = [];
  await fc.assert(
    fc.asyncProperty(searchArbitrary, async (request) => {
      some.push((await compare(catalog, records, request)) > 0);
    }),
    { numRuns: queriesPerCatalog, seed },
  );
  // Queries that all find nothing would prove nothing.
  expect(some.filter(Boolean).length).toBeGreaterThan(queriesPerCatalog / 5);
  for (const q of nameWords) await compare(catalog, records, { q, limit: 100 });
  for (const platform of platforms) await compare(catalog, records, { platform, limit: 100 });
  for (const engine of catalog.engineNames) {
    const all = bruteForce(records, { limit: 100 }).map(({ slug }) => slug);
    expect(await readPages(catalog.engines[engine], {}, 7)).toEqual(all);
  }
  await compare(catalog, records, { limit: 100 });
}
