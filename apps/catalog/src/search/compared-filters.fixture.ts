import { type CreatorRecord, type Filters } from '#contracts';
import { type CatalogFixture } from '../catalog.fixture.js';
import { bruteForce, plain } from './brute-force.fixture.js';
import { toCriteria } from './search.controller.js';
import { type SearchEngine } from './search-engine.js';

/** Each value as a search takes it, with the number of creators that the reply names. */
function searchesOf({ countries, categories, languages, platforms: own }: Filters) {
  return [
    ...countries.map(({ name, creators }) => ({ search: { country: name }, creators })),
    ...categories.map(({ slug, creators }) => ({ search: { category: slug }, creators })),
    ...languages.map(({ name, creators }) => ({ search: { language: name }, creators })),
    ...own.map(({ platform, creators }) => ({ search: { platform }, creators })),
  ];
}

async function totalOf(engine: SearchEngine, search: object): Promise<number> {
  return (await engine.search(toCriteria({ ...search, limit: 1 }))).total;
}

/** Compares the filters with what searches for them find, and both with a brute force; of every engine that the catalog may use. */
export async function compareFilters(
  { engines, engineNames }: CatalogFixture,
  records: readonly CreatorRecord[],
): Promise<void> {
  const filters = await engines.sql.filters();
  for (const engine of engineNames) expect(await engines[engine].filters()).toEqual(filters);
  for (const { search, creators } of searchesOf(filters)) {
    const found = bruteForce(records, { ...search, limit: 1 }).length;
    expect({ search, creators }).toEqual({ search, creators: found });
    for (const engine of engineNames) {
      const [total, unknown] = [
        await totalOf(engines[engine], search),
        await engines[engine].unknownFilters(toCriteria({ ...search, limit: 1 })),
      ];
      expect({ engine, search, total, unknown }).toEqual({ engine, search, total: found, unknown: [] });
    }
  }
  const published = records.filter(({ published: isShown }) => isShown !== false);
  const distinct = (values: readonly string[]): number => new Set(values.map(plain)).size;
  expect(filters.countries).toHaveLength(distinct(published.map(({ country }) => country)));
  expect(filters.languages).toHaveLength(distinct(published.flatMap(({ languages }) => languages)));
  for (const list of [filters.countries, filters.categories, filters.languages, filters.platforms]) {
    const counts = list.map(({ creators }) => creators);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  }
}
