import { eventually } from '@app/testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type FiltersBody, paths, type SearchParams } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const language = `Testish ${catalog.marker}`;
const category = `testing-${catalog.marker}`;
const records = [
  catalog.record('one', { languages: [language, 'English'], categories: [category] }),
  catalog.record('two', {
    languages: [language.toUpperCase(), language],
    categories: [`Testing ${catalog.marker}`, 'fitness'],
    country: catalog.country.toUpperCase(),
    platforms: ['youtube', 'x'].map((platform) => catalog.account({ platform })),
  }),
  catalog.record('three', { languages: [], categories: [category] }),
];
const hidden = catalog.record('hidden', {
  published: false,
  languages: [language],
  categories: [category],
});

beforeAll(async () => {
  await catalog.import([...records, hidden]);
  const pool = new KeyPool();
  await eventually(async () => {
    expect((await pool.search({ country: catalog.country })).total).toBe(records.length);
  }, 10_000);
});
afterAll(() => catalog.remove());

async function filtersNow(): Promise<FiltersBody> {
  const { key } = await createFundedAccount();
  const reply = await api.filters(key);
  expect(reply.status).toBe(200);
  return reply.body;
}

/** What the filters say about the values of this suite. */
function ownOf({ countries, categories, languages }: FiltersBody) {
  const isOwn = (value: string): boolean => value.toLowerCase().includes(catalog.marker);
  return {
    countries: countries.filter(({ name }) => isOwn(name)),
    categories: categories.filter(({ slug }) => isOwn(slug)),
    languages: languages.filter(({ name }) => isOwn(name)),
  };
}

const own = {
  countries: [{ name: catalog.country, creators: 3 }],
  categories: [{ slug: category, creators: 3 }],
  languages: [{ name: language, creators: 2 }],
};

describe('GET /filters', () => {
  it('counts the published creators of each value, however it is written', async () => {
    const body = await filtersNow();
    expect(Object.keys(body)).toEqual(['countries', 'categories', 'languages', 'platforms']);
    expect(ownOf(body)).toEqual(own);
  });

  it('gives what a search for each value finds', async () => {
    // Other suites change the catalog at the same time.
    await eventually(async () => {
      const { platforms, languages, countries, categories } = await filtersNow();
      const { key } = await createFundedAccount();
      const searches: [SearchParams, number | undefined][] = [
        ...platforms.map(({ platform, creators }) => [{ platform }, creators] as [SearchParams, number]),
        [{ language: languages[0]?.name ?? '' }, languages[0]?.creators],
        [{ country: countries[0]?.name ?? '' }, countries[0]?.creators],
        [{ category: categories[0]?.slug ?? '' }, categories[0]?.creators],
      ];
      const totals = await Promise.all(
        searches.map(async ([params]) => (await api.search({ ...params, limit: 1 }, key)).body.total),
      );
      expect(totals).toEqual(searches.map(([, creators]) => creators));
    }, 20_000);
  }, 40_000);

  it('has those with the most creators first, at most 1,000 of each', async () => {
    for (const values of Object.values(await filtersNow())) {
      const counts = (values as readonly { readonly creators: number }[]).map(({ creators }) => creators);
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
      expect(counts.length).toBeLessThanOrEqual(1_000);
      expect(Math.min(...counts)).toBeGreaterThan(0);
    }
  });

  it('counts who has just been imported or published, and nobody who is gone', async () => {
    const late = { languages: [`Late ${catalog.marker}`], categories: [`late-${catalog.marker}`] };
    const record = catalog.record('late', { ...late, country: `Lateland ${catalog.marker}` });
    const isThere = async (expected: number) => {
      // Each call may be answered by another replica.
      for (let call = 0; call < 4; call += 1) {
        const { countries, categories, languages } = ownOf(await filtersNow());
        const counts = [countries, categories, languages].map((values) => values.length);
        expect(counts).toEqual([1 + expected, 1 + expected, 1 + expected]);
      }
    };
    await catalog.import([record]);
    await eventually(() => isThere(1), 5_000);
    succeeded(await admin.call('PATCH', `/creators/${record.slug}`, { published: false }));
    await eventually(() => isThere(0), 5_000);
    succeeded(await admin.call('PATCH', `/creators/${record.slug}`, { published: true }));
    await eventually(() => isThere(1), 5_000);
    await admin.call('DELETE', `/creators/${record.slug}`);
    await eventually(() => isThere(0), 5_000);
  }, 40_000);

  it('has an ETag: a 304 without a body for who has the same, all of it after a change', async () => {
    const { id, keys } = await createFundedAccount({ keys: 5 });
    let turn = 0;
    const get = (etag?: string) => {
      const headers = etag === undefined ? undefined : { 'if-none-match': etag };
      return api.filters(keys[turn++ % keys.length]?.key ?? '', headers);
    };
    let etag = '';
    const spent = await spentBy(id, async () => {
      // Other suites change the catalog at the same time.
      await eventually(async () => {
        const first = await get();
        etag = first.headers.etag ?? '';
        expect(etag).toMatch(/^W\/"[\w-]+"$/);
        expect(first.headers['cache-control']).toBe('private, no-cache');
        for (let time = 0; time < 4; time += 1) {
          const again = await get(etag);
          expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
        }
      }, 20_000);
    });
    expect(spent).toBe(0);
    const changed = catalog.record('changed', { languages: [`Changed ${catalog.marker}`] });
    await catalog.import([changed]);
    await eventually(async () => {
      const reply = await get(etag);
      expect(reply.status).toBe(200);
      expect(reply.headers.etag).not.toBe(etag);
      expect(reply.body.languages.map(({ name }) => name)).toContain(`Changed ${catalog.marker}`);
    }, 5_000);
  }, 60_000);

  it('is free, with a balance of 0 too, and is no usage', async () => {
    const { id, key } = await createFundedAccount({ credits: 0 });
    expect(await spentBy(id, () => api.filters(key))).toBe(0);
    expect((await api.usage(key)).body.usage).toEqual([]);
  });

  it('shares the 60 a minute of the balance, a 304 counts, and says when to come back', async () => {
    const { keys } = await createFundedAccount({ keys: 2 });
    const [key = '', other = ''] = keys.map((each) => each.key);
    const first = await api.filters(key);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"account";q=60;w=60',
      ratelimit: expect.stringMatching(/^"account";r=59;t=\d+$/) as string,
    });
    await Promise.all(Array.from({ length: 30 }, () => api.balance(key)));
    await Promise.all(Array.from({ length: 29 }, () => api.filters(key, { 'if-none-match': '*' })));
    for (const refused of [await api.filters(key), await api.filters(key, { 'if-none-match': '*' })]) {
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
    }
    expect((await api.balance(key)).status).toBe(429);
    expect((await api.search({ q: randomWord() }, key)).status).toBe(200);
    expect((await api.filters(other)).status).toBe(200);
  });

  it('400 for a parameter, 401 without a key, 405 for another method', async () => {
    const { key } = await createFundedAccount();
    const reply = await api.get(`${paths.filters}?limit=3`, key);
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, ['limit']]);
    expect((await api.send(paths.filters)).status).toBe(401);
    expect((await api.get(paths.filters, key, { method: 'POST' })).status).toBe(405);
  });
});
