import { filterValuesMax, platforms, type SearchRequest } from '#contracts';
import { type CatalogFixture, engineNames, openCatalog } from '../catalog.fixture.js';
import { accountOf, recordOf } from '../creators/creator-records.fixture.js';
import { ClosestValueFinder } from './closest-values.js';
import { toCriteria } from './search.controller.js';

let catalog: CatalogFixture;

describe.each(engineNames)('the filters of the %s engine', (engine) => {
  beforeEach(async () => (catalog = await openCatalog()));
  afterEach(() => catalog.close());

  it('are empty in an empty catalog', async () => {
    expect(await catalog.engines[engine].filters()).toEqual({
      countries: [],
      categories: [],
      languages: [],
      platforms: [],
    });
  });

  it('spell a value as most records do, and count a creator who spells a language twice once', async () => {
    const record = (slug: string, country: string, languages: string[]) =>
      recordOf(slug, {
        country,
        languages,
        categories: ['Food & Drink'],
        platforms: [accountOf({ platform: 'x' })],
      });
    await catalog.importRecords([
      record('a', 'FRANCE', ['français', 'FRANÇAIS']),
      record('b', 'France', ['Français', 'English']),
      record('c', 'France', ['Français']),
      record('d', 'Perú', []),
      recordOf('e', { published: false, country: 'Peru', languages: ['Quechua'], categories: ['art'] }),
    ]);
    expect(await catalog.engines[engine].filters()).toEqual({
      countries: [
        { name: 'France', creators: 3 },
        { name: 'Perú', creators: 1 },
      ],
      categories: [{ slug: 'food-drink', creators: 4 }],
      languages: [
        { name: 'Français', creators: 3 },
        { name: 'English', creators: 1 },
      ],
      platforms: [{ platform: 'x', creators: 4 }],
    });
  });

  it('follow every change', async () => {
    await catalog.importRecords([recordOf('a'), recordOf('b')]);
    const list = () => catalog.engines[engine].filters();
    expect((await list()).countries).toEqual([{ name: 'Utopia', creators: 2 }]);
    await catalog.creators.publish('a', false);
    expect((await list()).countries).toEqual([{ name: 'Utopia', creators: 1 }]);
    await catalog.creators.remove('b');
    expect((await list()).countries).toEqual([]);
    await catalog.importRecords([
      recordOf('c', { platforms: platforms.map((platform) => accountOf({ platform })) }),
    ]);
    expect((await list()).platforms.map(({ platform }) => platform)).toEqual([...platforms].sort());
  });

  it('are limited to the values with the most creators', async () => {
    const records = Array.from({ length: filterValuesMax + 20 }, (_, index) =>
      recordOf(`c${index}`, { country: `Land ${index}`, languages: [`Tongue ${index}`] }),
    );
    await catalog.importRecords(records.slice(0, 600));
    await catalog.importRecords([...records.slice(600), recordOf('z', { country: 'Land 1019' })]);
    const { countries, languages } = await catalog.engines[engine].filters();
    expect([countries.length, languages.length]).toEqual([filterValuesMax, filterValuesMax]);
    expect(countries[0]).toEqual({ name: 'Land 1019', creators: 2 });
  });
});

describe('filters whose value no creator has', () => {
  beforeAll(async () => {
    catalog = await openCatalog();
    await catalog.importRecords([
      recordOf('one', { country: 'France', categories: ['food-drink'], languages: ['Français'] }),
      recordOf('two', { country: 'Peru', categories: ['travel'], languages: ['Spanish'], published: false }),
    ]);
  });
  afterAll(() => catalog.close());

  it.each<[Partial<SearchRequest>, string[]]>([
    [{}, []],
    [{ q: 'nobody' }, []],
    [{ country: 'FRANCE', category: 'Food & Drink', language: 'francais' }, []],
    [{ country: 'Frankreich' }, ['country']],
    [{ country: 'Frankreich', category: 'food-drink', q: 'one', min_followers: 1 }, ['country']],
    [{ country: 'France', category: 'cooking', language: 'French' }, ['category', 'language']],
    [{ country: 'France', q: 'nobody', platform: 'x' }, []],
    // Unpublished creators must not show.
    [{ country: 'Peru', category: 'travel', language: 'Spanish' }, ['country', 'category', 'language']],
  ])('are named by both engines, of %j: %j', async (search, expected) => {
    for (const engine of engineNames) {
      const criteria = toCriteria({ limit: 50, ...search });
      expect([engine, await catalog.engines[engine].unknownFilters(criteria)]).toEqual([engine, expected]);
    }
  });

  it.each(engineNames)('are suggested the closest value that the %s engine still finds', async (engine) => {
    const finder = new ClosestValueFinder(catalog.engines[engine]);
    const closest = (search: Partial<SearchRequest>) =>
      finder.find(toCriteria({ limit: 50, ...search }), ['country', 'category', 'language']);
    await catalog.importRecords([recordOf('three', { country: 'Madagascar', published: true })]);
    expect(await closest({ country: 'Farnce', category: 'fod and drink', language: 'Francias' })).toEqual({
      country: 'France',
      category: 'food-drink',
      language: 'Français',
    });
    expect(await closest({ country: 'Per', category: 'travle', language: 'Spansih' })).toEqual({});
    expect(await closest({ country: 'Madagaskar' })).toEqual({ country: 'Madagascar' });
    await catalog.creators.publish('three', false);
    expect(await closest({ country: 'Madagaskar' })).toEqual({});
  });
});
