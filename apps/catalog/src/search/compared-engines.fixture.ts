import { accountUrls, type Filters, type NextPage, platforms, type SearchRequest } from '#contracts';
import { expectEqual, propertyRuns } from '#testing';
import fc from 'fast-check';
import { type CatalogFixture, engineNames, openCatalog, siteUrl } from '../catalog.fixture.js';
import { type NamedRecord } from '../creators/creator-records.fixture.js';
import { bruteForce, plain } from './brute-force.fixture.js';
import { nameWords, randomCatalog, searchArbitrary } from './random-catalog.fixture.js';
import { toCriteria } from './search.controller.js';
import { type SearchEngine } from './search-engine.js';
import { readLookup } from '../lookup/lookup-keys.js';

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
async function readPages(
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
      ...(next.followers === undefined ? {} : { after_followers: next.followers }),
    };
    const page = await engine.search(toCriteria({ ...request, limit, ...after }));
    expect(page.total).toBe((total ??= page.total));
    slugs.push(...(JSON.parse(page.creators.toString()) as Entry[]).map(({ slug }) => slug));
    next = page.next;
  }
  return slugs;
}

/** Countries as an import spells those that it knows. */
const spelledAs: Readonly<Record<string, string>> = { turkiye: 'Türkiye', "Côte d'Ivoire": 'Côte d’Ivoire' };

function entryOf(record: NamedRecord) {
  return {
    slug: record.slug,
    name: record.name,
    url: `${siteUrl}/creators/${record.slug}`,
    country: spelledAs[record.country] ?? record.country,
    total_reach: record.platforms.reduce((sum, { followers }) => sum + followers, 0),
    platforms: record.platforms.map(({ platform, handle, url, followers }) => {
      const name = handle.replace(/^@/, '');
      return {
        platform,
        handle: `@${name}`,
        url: url ?? accountUrls[platform].join(encodeURIComponent(name)),
        followers,
      };
    }),
  };
}

async function compare(
  { engines }: CatalogFixture,
  records: readonly NamedRecord[],
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

/** Compares many searches, and all pages of one, with a brute force; with every engine. */
async function compareSearches(
  catalog: CatalogFixture,
  records: readonly NamedRecord[],
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
  for (const engine of engineNames) {
    for (const order of [{}, { sort: 'reach' }, { sort: 'followers', platform: 'youtube' }] as const) {
      const all = bruteForce(records, { ...order, limit: 100 }).map(({ slug }) => slug);
      expect(await readPages(catalog.engines[engine], order, 7)).toEqual(all);
    }
  }
  await compare(catalog, records, { limit: 100 });
}

/** Each value as a search takes it, with the number of creators that the reply names. */
function searchesOf({ countries, categories, languages, platforms: own }: Filters) {
  return [
    ...countries.map(({ name, creators }) => ({ search: { country: name }, creators })),
    ...categories.map(({ slug, creators }) => ({ search: { category: slug }, creators })),
    ...languages.map(({ name, creators }) => ({ search: { language: name }, creators })),
    ...own.map(({ platform, creators }) => ({ search: { platform }, creators })),
  ];
}

/** Compares the filters with a brute force; of every engine. */
async function compareFilters({ engines }: CatalogFixture, records: readonly NamedRecord[]): Promise<void> {
  const filters = await engines.sql.filters();
  for (const engine of engineNames) expect(await engines[engine].filters()).toEqual(filters);
  for (const { search, creators } of searchesOf(filters)) {
    const found = bruteForce(records, { ...search, limit: 1 }).length;
    expect({ search, creators }).toEqual({ search, creators: found });
    for (const engine of engineNames) {
      const unknown = await engines[engine].unknownFilters(toCriteria({ ...search, limit: 1 }));
      expect({ engine, search, unknown }).toEqual({ engine, search, unknown: [] });
    }
  }
  const published = records.filter(
    ({ published: isShown, platforms: own }) => isShown !== false && own.length > 0,
  );
  const distinct = (values: readonly string[]): number => new Set(values.map(plain)).size;
  expect(filters.countries).toHaveLength(distinct(published.map(({ country }) => country)));
  expect(filters.languages).toHaveLength(distinct(published.flatMap(({ languages }) => languages)));
  for (const list of [filters.countries, filters.categories, filters.languages, filters.platforms]) {
    const counts = list.map(({ creators }) => creators);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  }
}

type Lookup = { readonly url: string } | { readonly platform: string; readonly handle: string };
type Account = NamedRecord['platforms'][number];

/** The form in which handles are compared, written from the rules and sharing no code with the service. */
function plainHandle({ platform, handle }: { readonly platform: string; readonly handle: string }): string {
  const name = handle.normalize('NFKC').trim().replace(/^@+/, '').toLowerCase();
  return platform === 'facebook' ? name.split('.').join('') : name;
}

function isAccount(account: Account, lookup: Lookup): boolean {
  if ('url' in lookup) return account.platform === 'youtube' && account.url === lookup.url;
  return account.platform === lookup.platform && plainHandle(account) === plainHandle(lookup);
}

/** The slug of the published creator that has the account; found by reading all records. */
export function lookUpNaively(records: readonly NamedRecord[], lookup: Lookup): string | null {
  const owner = records.find(({ platforms: accounts }) => accounts.some((one) => isAccount(one, lookup)));
  return owner && owner.published !== false ? owner.slug : null;
}

/** Every handle of any creator on some platform, on all of them, and every special link. */
function lookupsFor(records: readonly NamedRecord[]): Lookup[] {
  const accounts = records.flatMap((record) => record.platforms);
  const handles = new Set([...accounts.map(({ handle }) => handle), 'nobody']);
  const links = new Set(
    accounts.flatMap(({ platform, url }) => (platform === 'youtube' && url ? [url] : [])),
  );
  return [
    ...[...handles].flatMap((handle) => platforms.map((platform) => ({ platform, handle }))),
    ...[...links].map((url) => ({ url })),
  ];
}

/** Compares look-ups with a brute force, with every engine. */
async function compareLookUps(
  { engines }: CatalogFixture,
  records: readonly NamedRecord[],
  lookups: readonly Lookup[],
): Promise<void> {
  const expected = lookups.map((lookup) => lookUpNaively(records, lookup));
  expect(expected.filter((slug) => slug !== null).length).toBeGreaterThan(20);
  expect(expected).toContain(null);
  const keys = lookups.map((one) => {
    const read = readLookup(one);
    if ('details' in read) throw new Error(JSON.stringify(read.details));
    return read.keys;
  });
  for (const engine of engineNames) {
    const found = await engines[engine].lookUp(keys);
    const pairs = lookups.map((lookup, index) => ({ engine, lookup, slug: found[index] }));
    expect(pairs).toEqual(lookups.map((lookup, index) => ({ engine, lookup, slug: expected[index] })));
  }
}

/**
 * Compares searches, filters and look-ups in a random catalog with a brute force: as it was imported, after random
 * changes, and once these are in segments.
 */
export async function checkThroughChanges({
  seed,
  preferIndexes,
}: {
  seed: number;
  preferIndexes: boolean;
}): Promise<void> {
  const catalog = await openCatalog({ preferIndexes });
  // Some pages are then read in their order, and others sorted.
  catalog.engines.sql.limits.frequentMatches = 30;
  try {
    const records = randomCatalog(250, seed);
    const lookups = lookupsFor(records);
    const check = async (current: readonly NamedRecord[], part: number) => {
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
    await catalog.engines.bitmap.freeze();
    await check(changed, 2);
  } finally {
    await catalog.close();
  }
}

/** The records after an import, publishing, hiding, deleting and removing at random; each is applied to the database too. */
async function changeAtRandom(
  catalog: CatalogFixture,
  records: NamedRecord[],
  seed: number,
): Promise<NamedRecord[]> {
  const others = randomCatalog(records.length, seed + 1_000, records);
  const replaced = records.map((record, index) => {
    if (index % 5 > 0) return record;
    const other = others[index] ?? record;
    // A record that doesn't say whether it is published leaves that unchanged.
    return { ...other, slug: record.slug, published: other.published ?? record.published ?? true };
  });
  await catalog.importRecords(replaced.filter((record, index) => record !== records[index]));
  const hidden = replaced.filter(({ platforms: own }, index) => own.length > 0 && index % 11 === 3);
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
