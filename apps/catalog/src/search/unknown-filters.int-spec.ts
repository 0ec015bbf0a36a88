import { type SearchRequest } from '@app/contracts';
import { openCatalog, type CatalogFixture } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { toCriteria } from './search.controller.js';

let catalog: CatalogFixture;
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
  // Only what is published: else it would tell about creators who are not.
  [{ country: 'Peru', category: 'travel', language: 'Spanish' }, ['country', 'category', 'language']],
])('both engines name the filters of %j whose value no creator has: %j', async (search, expected) => {
  for (const engine of ['sql', 'bitmap'] as const) {
    const criteria = toCriteria({ limit: 50, ...search });
    expect([engine, await catalog.engines[engine].unknownFilters(criteria)]).toEqual([engine, expected]);
  }
});
