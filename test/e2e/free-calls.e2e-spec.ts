import { eventually } from '#testing';
import { createAccount, createFundedAccount, createKey, purchase, spentBy } from '../support/accounts.js';
import { admin, daysFromNow } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type FiltersBody } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
const { marker } = catalog;
const language = `Testish ${marker}`;
const category = `testing-${marker}`;
const records = [
  catalog.record('one', { languages: [language, 'English'], categories: [category] }),
  catalog.record('two', {
    languages: [language.toUpperCase(), language],
    categories: [`Testing ${marker}`, 'fitness'],
    country: catalog.country.toUpperCase(),
    platforms: ['youtube', 'x'].map((platform) => catalog.account({ platform })),
  }),
  catalog.record('three', { languages: [], categories: [category] }),
];
const hidden = catalog.record('hidden', { published: false, languages: [language], categories: [category] });

beforeAll(async () => {
  await catalog.import([...records, hidden]);
  await eventually(async () => {
    expect((await pool.search({ country: catalog.country })).total).toBe(records.length);
  }, 10_000);
});

const today = (): string => new Date().toISOString().slice(0, 10);

describe('GET /balance', () => {
  it('shows what each unexpired lot holds, oldest first, and their total; free', async () => {
    const { id } = await createAccount();
    const { key } = await createKey(id);
    const day = 24 * 3_600_000;
    await purchase(id, { pack: 'builder' });
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-20) });
    await purchase(id, { pack: 'scale', purchased_at: daysFromNow(-31) });
    const spent = await spentBy(id, async () => {
      const { status, body } = await api.balance(key);
      expect([status, Object.keys(body)]).toEqual([200, ['credits_remaining', 'lots']]);
      expect(body).toMatchObject({
        credits_remaining: 550,
        lots: [
          { pack: 'trial', credits: 50, remaining: 50 },
          { pack: 'builder', credits: 500, remaining: 500 },
        ],
      });
      for (const lot of body.lots) {
        expect(Object.keys(lot)).toEqual(['pack', 'credits', 'remaining', 'purchased_at', 'expires_at']);
        expect(Date.parse(lot.expires_at) - Date.parse(lot.purchased_at)).toBe(30 * day);
      }
    });
    expect(spent).toBe(0);
  });
});

describe('GET /usage', () => {
  it('counts calls and credits of the whole account by day, key and operation, as operators see them; free', async () => {
    const { id, keys } = await createFundedAccount({ keys: 2 });
    const [key, otherKey] = keys.map((issued) => issued.key) as [string, string];
    const [one, two] = [clientOf(key), clientOf(otherKey)];
    await one.search({ limit: 1 });
    await one.search({ limit: 1, country: catalog.country });
    await two.search({ limit: 1 });
    await expect(one.creator('nobody-at-all')).rejects.toMatchObject({ status: 404 });
    await two.creator(records[0]?.slug ?? '');
    // A charge is posted a moment after its answer.
    await eventually(async () => {
      const { usage } = await one.usage();
      expect(usage.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    });
    const spent = await spentBy(id, async () => {
      const { status, body } = await api.usage(otherKey);
      expect([status, Object.keys(body), body.to]).toEqual([200, ['from', 'to', 'usage'], today()]);
      expect(body.usage).toEqual(await admin.usage(id));
      expect(body.usage.filter(({ key_id }) => key_id === keys[0]?.id)).toEqual([
        { day: today(), key_id: keys[0]?.id, operation: 'search', calls: 2, credits: 3 },
      ]);
    });
    expect(spent).toBe(0);
  });
});

async function filtersNow(): Promise<FiltersBody> {
  const reply = await api.filters(await pool.key());
  expect(reply.status).toBe(200);
  return reply.body;
}

/** The values of this suite among the filters. */
function ownOf({ countries, categories, languages }: FiltersBody) {
  const isOwn = (value: string): boolean => value.toLowerCase().includes(marker);
  return {
    countries: countries.filter(({ name }) => isOwn(name)),
    categories: categories.filter(({ slug }) => isOwn(slug)),
    languages: languages.filter(({ name }) => isOwn(name)),
  };
}

// That they follow every change: apps/catalog/src/search-index/search-index-manager.int-spec.ts.
describe('GET /filters', () => {
  it('counts the published creators of each value, however it is written, the most frequent value first', async () => {
    const body = await filtersNow();
    expect(Object.keys(body)).toEqual(['countries', 'categories', 'languages', 'platforms']);
    expect(ownOf(body)).toEqual({
      countries: [{ name: catalog.country, creators: 3 }],
      categories: [{ slug: category, creators: 3 }],
      languages: [{ name: language, creators: 2 }],
    });
    for (const values of Object.values(body)) {
      const counts = (values as readonly { readonly creators: number }[]).map(({ creators }) => creators);
      expect(counts).toEqual([...counts].sort((one, other) => other - one));
      expect(counts.length).toBeLessThanOrEqual(1_000);
    }
  });

  it('is a 304 with the ETag of the same values, for nothing, and a 200 after a change', async () => {
    const { id, keys } = await createFundedAccount({ keys: 5 });
    let turn = 0;
    const get = (headers: Record<string, string> = {}) =>
      api.filters(keys[turn++ % keys.length]?.key ?? '', headers);
    let etag = '';
    const spent = await spentBy(id, () =>
      // Other suites change the catalog at the same time.
      eventually(async () => {
        const first = await get();
        etag = first.headers.etag ?? '';
        expect(etag).toMatch(/^W\/"[\w-]+"$/);
        expect(first.headers['cache-control']).toBe('private, no-cache');
        for (let time = 0; time < 4; time += 1) {
          const again = await get({ 'if-none-match': etag });
          expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
        }
      }, 20_000),
    );
    expect(spent).toBe(0);
    await catalog.import([catalog.record('changed', { languages: [`Changed ${marker}`] })]);
    await eventually(async () => {
      const reply = await get({ 'if-none-match': etag });
      expect(reply.status).toBe(200);
      expect(reply.headers.etag).not.toBe(etag);
      expect(reply.body.languages.map(({ name }) => name)).toContain(`Changed ${marker}`);
    }, 5_000);
  }, 60_000);
});

describe('free calls', () => {
  it('share a limit of 60 a minute and key, apart from searches; a 304 counts', async () => {
    const { keys } = await createFundedAccount({ keys: 2 });
    const [key = '', other = ''] = keys.map((each) => each.key);
    const { headers } = await api.filters(key);
    expect(headers).toMatchObject({
      'ratelimit-policy': '"account";q=60;w=60',
      ratelimit: expect.stringMatching(/^"account";r=59;t=\d+$/) as string,
    });
    const unchanged = () => api.filters(key, { 'if-none-match': headers.etag ?? '' });
    await Promise.all(Array.from({ length: 30 }, () => api.balance(key)));
    await Promise.all(Array.from({ length: 29 }, unchanged));
    for (const refused of [await api.filters(key), await unchanged(), await api.balance(key)]) {
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
      expect((refused.body as { error?: string }).error).toContain('60 requests');
    }
    expect((await api.search({ q: randomWord() }, key)).status).toBe(200);
    expect((await api.filters(other)).status).toBe(200);
  });
});
