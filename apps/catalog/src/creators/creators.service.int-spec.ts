import { openCatalog, siteUrl, type CatalogFixture } from '../catalog.fixture.js';
import { accountOf, recordOf } from './creator-records.fixture.js';

let catalog: CatalogFixture;
beforeAll(async () => (catalog = await openCatalog()));
afterAll(() => catalog.close());

const full = recordOf('full', {
  name: 'Çağla "Ç" Güneş',
  tagline: 'Street food,\none stall at a time',
  languages: ['Türkçe', 'English'],
  verified: true,
  website: 'https://full.example/about?x=1',
  categories: ['food-drink', 'travel'],
  platforms: [
    accountOf({ platform: 'x', followers: 3_000_000_000, updated_at: '2024-01-02T03:04:05+02:00' }),
    accountOf({ platform: 'youtube', handle: '@cagla', followers: 5 }),
  ],
});
const notFound = { code: 'not_found' };

async function profile(slug: string, latest = false): Promise<string | undefined> {
  return (await catalog.profiles.find(slug, latest))?.toString();
}

describe('a profile', () => {
  it('has the documented fields in their order, platforms in the order of the record', async () => {
    await catalog.creators.put('full', full);
    expect(await profile('full')).toBe(
      JSON.stringify({
        slug: 'full',
        name: full.name,
        url: `${siteUrl}/creators/full`,
        tagline: full.tagline,
        country: 'Utopia',
        languages: full.languages,
        verified: true,
        website: full.website,
        categories: full.categories,
        total_reach: 3_000_000_005,
        platforms: [
          {
            platform: 'x',
            handle: '@handle',
            url: 'https://x.com/handle',
            followers: 3_000_000_000,
            updated_at: '2024-01-02T01:04:05.000Z',
          },
          {
            platform: 'youtube',
            handle: '@cagla',
            url: 'https://www.youtube.com/@cagla',
            followers: 5,
            updated_at: '2024-01-02T03:04:05.000Z',
          },
        ],
      }),
    );
  });

  it('leaves out a website that is not known; everything else is there', async () => {
    const { slug, name, country } = recordOf('bare');
    await catalog.creators.put('bare', { slug, name, country, languages: [], categories: [], platforms: [] });
    expect(JSON.parse((await profile('bare')) ?? '')).toEqual({
      slug,
      name,
      url: `${siteUrl}/creators/bare`,
      tagline: '',
      country,
      languages: [],
      verified: false,
      categories: [],
      total_reach: 0,
      platforms: [],
    });
  });

  it('is read once for each state of the index, and each time without a known one or when it has to be the latest', async () => {
    const store = (tagline: string) => catalog.creators.put('kept', recordOf('kept', { tagline }));
    const tagline = async (latest = false): Promise<unknown> => {
      const { tagline: read } = JSON.parse((await profile('kept', latest)) ?? '{}') as { tagline?: string };
      return read;
    };
    await store('old');
    catalog.index.currentState = { catalogId: 'a catalog', revision: 1 };
    expect(await tagline()).toBe('old');
    await store('new');
    expect(await tagline()).toBe('old');
    expect(await tagline(true)).toBe('new');
    catalog.index.currentState = undefined;
    expect(await tagline()).toBe('new');
    catalog.index.currentState = { catalogId: 'a catalog', revision: 2 };
    expect(await tagline()).toBe('new');
    catalog.index.currentState = undefined;
  });

  it('exists only for published creators', async () => {
    await catalog.creators.put('seen', recordOf('seen', { published: false }));
    expect(await profile('seen')).toBeUndefined();
    await catalog.creators.publish('seen', true);
    expect(await profile('seen')).toBeDefined();
    await catalog.creators.remove('seen');
    expect(await profile('seen')).toBeUndefined();
    expect(await profile("' OR true --")).toBeUndefined();
  });
});

describe('a creator', () => {
  it('is created, then replaced; the slug of the body may be absent', async () => {
    const withoutSlug = { ...recordOf('put', { tagline: 'before' }), slug: undefined };
    expect(await catalog.creators.put('put', withoutSlug)).toMatchObject({
      created: true,
      creator: { slug: 'put', tagline: 'before', published: true },
    });
    expect(await catalog.creators.put('put', recordOf('put'))).toMatchObject({
      created: false,
      creator: { tagline: '' },
    });
    expect(await catalog.creators.put('put', recordOf('put'))).toMatchObject({ created: false });
  });

  it('is created once when it is put many times at once', async () => {
    const puts = Array.from({ length: 6 }, (_, at) =>
      catalog.creators.put('race', recordOf('race', { tagline: `${at}` })),
    );
    const replies = await Promise.all(puts);
    expect(replies.filter(({ created }) => created)).toHaveLength(1);
  });

  it('is refused by the rules of the import, naming the field', async () => {
    const put = (body: unknown) => catalog.creators.put('refused', body);
    const details = (field: string, problem: string) => ({
      code: 'invalid_request',
      details: { [field]: [expect.stringContaining(problem) as string] },
    });
    await expect(put([])).rejects.toMatchObject(details('record', 'must be a JSON object'));
    await expect(put(recordOf('other'))).rejects.toMatchObject(details('slug', 'differs from the path'));
    await expect(put(recordOf('refused', { name: '' }))).rejects.toMatchObject(
      details('name', 'must be a string of 1 to 200'),
    );
    await expect(
      put(recordOf('refused', { platforms: [accountOf({ followers: -1 })] })),
    ).rejects.toMatchObject(details('platforms[0].followers', 'must be an integer'));
    await expect(catalog.creators.show('refused')).rejects.toMatchObject(notFound);
  });

  it("that does not exist can't be shown, published or deleted", async () => {
    await expect(catalog.creators.show('nobody')).rejects.toMatchObject(notFound);
    await expect(catalog.creators.publish('nobody', true)).rejects.toMatchObject(notFound);
    await expect(catalog.creators.remove('nobody')).rejects.toMatchObject(notFound);
  });

  it('keeps its flag when it is put without one', async () => {
    await catalog.creators.put('flag', recordOf('flag', { published: false }));
    expect(await catalog.creators.put('flag', recordOf('flag'))).toMatchObject({
      creator: { published: false },
    });
  });
});
