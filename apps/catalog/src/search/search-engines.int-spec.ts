import { filterValuesMax, type SearchRequest } from '#contracts';
import { type CatalogFixture, engineNames, openCatalog, siteUrl } from '../catalog.fixture.js';
import { accountOf, on, recordOf } from '../creators/creator-records.fixture.js';
import { ClosestValueFinder } from './closest-values.js';
import { checkThroughChanges, queriesPerCatalog, searchWith } from './compared-engines.fixture.js';
import { SearchController, toCriteria } from './search.controller.js';
import { CreatorJson } from '../creators/creator-json.js';
import { TestCreators } from './test-creators.js';

let catalog: CatalogFixture;

describe('compared with a brute force over random catalogs', () => {
  it.each([
    { seed: 1, preferIndexes: false },
    { seed: 3, preferIndexes: true },
  ])(
    `both engines give the same results for ${queriesPerCatalog} queries, all filters and look-ups, before and after changes, %j`,
    checkThroughChanges,
    120_000,
  );
});

describe.each(engineNames)('with the %s engine', (name) => {
  const engine = () => catalog.engines[name];

  beforeAll(async () => {
    catalog = await openCatalog();
    const places = { country: 'FRANCE', languages: ['french', 'FRENCH'], categories: ['Food & Drink'] };
    const usual = { country: 'France', languages: ['French'], categories: ['food-drink'] };
    await catalog.importRecords([
      recordOf('old', { ...places, platforms: [accountOf({ updated_at: '2020-01-01T00:00:00Z' })] }),
      recordOf('mixed', {
        ...usual,
        platforms: [
          on('x', 'handle', { followers: 10, updated_at: '2019-01-01T00:00:00Z' }),
          on('youtube', 'other', { url: 'https://youtube.com/c/handle', followers: 5 }),
        ],
      }),
      ...['tie-b', 'tie-a'].map((slug) =>
        recordOf(slug, {
          ...usual,
          platforms: [on('tiktok', slug.replace('-', '_'), { updated_at: '2021-01-01T00:00:00Z' })],
        }),
      ),
      recordOf('bare', {
        ...{ country: 'Perú', languages: [], categories: [] },
        platforms: [accountOf({ handle: 'bare', followers: 0, updated_at: '2000-01-01T00:00:00Z' })],
      }),
      recordOf('hidden', { published: false, country: 'Peru', languages: ['Quechua'], categories: ['art'] }),
    ]);
  });
  afterAll(() => catalog.close());

  it('a page continues after a creator that no longer exists, and has the total even when it is empty', async () => {
    const after = (slug: string, at: Partial<SearchRequest> = {}) =>
      engine().search(toCriteria({ limit: 1, after_slug: slug, ...at }));
    expect(await after('tie-aa', { after_updated_at: '2021-01-01T00:00:00Z' })).toMatchObject({
      total: 5,
      next: { slug: 'tie-b', updated_at: '2021-01-01T00:00:00.000Z' },
    });
    expect(await after('bare')).toMatchObject({ total: 5, returned: 0, next: null });
  });

  it('the catalog is described by how many creators it has, and when the newest was updated', async () => {
    const config = { SITE_URL: siteUrl };
    const controller = new SearchController(engine(), new TestCreators(config, new CreatorJson(config)));
    expect(await controller.describe()).toEqual({
      creators: 5,
      countries: 2,
      platforms: 3,
      newest_updated_at: '2024-01-02T03:04:05.000Z',
    });
  });

  it.each<[Partial<SearchRequest>, string[]]>([
    [{ q: 'nobody' }, []],
    [{ country: 'FRANCE', category: 'Food & Drink', language: 'fr' }, []],
    [{ country: 'Frankreich', category: 'food-drink', q: 'one', min_followers: 1 }, ['country']],
    [{ country: 'France', category: 'cooking', language: 'Welsh' }, ['category', 'language']],
    // Unpublished creators must not show.
    [{ category: 'art', language: 'Quechua' }, ['category', 'language']],
  ])('of %j, the filters %j have a value that no creator has', async (search, expected) => {
    expect(await engine().unknownFilters(toCriteria({ limit: 50, ...search }))).toEqual(expected);
  });

  it('the closest value that is still found is suggested', async () => {
    const finder = new ClosestValueFinder(engine());
    const closest = (search: Partial<SearchRequest>) =>
      finder.find(toCriteria({ limit: 50, ...search }), ['country', 'category', 'language']);
    expect(await closest({ country: 'Farnce', category: 'fod and drink', language: 'Frencsh' })).toEqual({
      country: 'France',
      category: 'food-drink',
      language: 'French',
    });
    expect(await closest({ country: 'Spain', category: 'arts', language: 'Quechau' })).toEqual({});
    await catalog.creators.publish('bare', false);
    expect(await closest({ country: 'Per' })).toEqual({});
    await catalog.creators.publish('bare', true);
    expect(await closest({ country: 'Perk' })).toEqual({ country: 'Peru' });
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
      const { total, entries } = await searchWith(engine(), {});
      expect(total).toBe(entries.length);
      totals.add(total);
    }
    await changes;
    expect([...totals].toSorted()).toEqual([4, 5]);
  });

  it('lists the values with the most creators, as many as a reply may have', async () => {
    const records = Array.from({ length: filterValuesMax + 20 }, (_, index) =>
      recordOf(`c${index}`, { country: `Land ${index}` }),
    );
    await catalog.importRecords(records.slice(0, 600));
    await catalog.importRecords(records.slice(600));
    const { countries } = await engine().filters();
    expect(countries).toHaveLength(filterValuesMax);
    expect(countries[0]).toEqual({ name: 'France', creators: 4 });
  });
});
