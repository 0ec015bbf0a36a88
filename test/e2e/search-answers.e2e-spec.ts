import { eventually } from '#testing';
import { daysFromNow } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type SearchBody, type SearchParams } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const pool = new KeyPool();
const { country } = catalog;

const account = (platform: string, changes: { followers?: number; updated_at?: string } = {}) =>
  catalog.account({ platform, ...changes });

const everyPlatform = catalog.record('every-platform', {
  name: 'Zoë Everywhere',
  platforms: [
    account('youtube', { followers: 100, updated_at: daysFromNow(-3) }),
    account('instagram', { followers: 20, updated_at: daysFromNow(-1) }),
    account('tiktok', { followers: 3, updated_at: daysFromNow(-2) }),
    account('facebook', { followers: 4_000_000_000 }),
    account('x', { followers: 0 }),
  ],
});
const sameDay = daysFromNow(-2);
const records = [
  everyPlatform,
  catalog.record('unverified', {
    verified: false,
    languages: ['Welsh'],
    platforms: [account('x', { updated_at: daysFromNow(-4) })],
  }),
  catalog.record('b-tie', { platforms: [account('tiktok', { updated_at: sameDay })] }),
  catalog.record('a-tie', { platforms: [account('youtube', { updated_at: sameDay })] }),
  catalog.record('unpublished', { published: false }),
  catalog.record('oldest', {
    languages: ['Welsh'],
    platforms: [account('x', { updated_at: daysFromNow(-40) })],
  }),
  ...Array.from({ length: 110 }, (_, index) =>
    catalog.record(`old-${index}`, { platforms: [account('youtube', { updated_at: daysFromNow(-30) })] }),
  ),
];
const publishedCount = records.length - 1;
/** A warning comes only when the balance is low. */
const fields = ['total', 'returned', 'credits_used', 'credits_remaining', 'creators'];

async function search(params: SearchParams = {}): Promise<SearchBody> {
  const reply = await api.search({ country, ...params }, await pool.key());
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
}

const slugsOf = ({ creators }: SearchBody) =>
  creators.map(({ slug }) => slug.replace(`${catalog.marker}-`, ''));

beforeAll(() => catalog.importVisible(records, pool));

describe('a creator in a search result', () => {
  it('has the documented fields as they were imported, and those of its accounts, and no others', async () => {
    const [first] = (await search({ limit: 1 })).creators;
    const accounts = everyPlatform.platforms.map(({ platform, handle, followers }) => ({
      platform,
      handle: `@${handle}`,
      url: expect.stringMatching(new RegExp(`^https://.*${handle}`)) as string,
      followers,
    }));
    expect(first).toEqual({
      slug: everyPlatform.slug,
      name: 'Zoë Everywhere',
      url: expect.stringMatching(new RegExp(`^https?://.*/creators/${everyPlatform.slug}$`)) as string,
      country,
      // More than 32 bits.
      total_reach: 4_000_000_123,
      platforms: expect.arrayContaining(accounts) as unknown[],
    });
    expect(first?.platforms).toHaveLength(accounts.length);
  });
});

describe('a search result', () => {
  it.each([
    [undefined, 50],
    [1, 1],
    [100, 100],
  ])('with limit %s has %i creators, the total of all, and the same price', async (limit, returned) => {
    const body = await search(limit === undefined ? {} : { limit });
    expect(Object.keys(body)).toEqual(fields);
    expect(body).toMatchObject({ returned, total: publishedCount, credits_used: 2 });
    expect(new Set(slugsOf(body)).size).toBe(returned);
  });

  it('has the most recent data first, ties by slug, creators without platforms last', async () => {
    expect(slugsOf(await search({ limit: 4 }))).toEqual(['every-platform', 'a-tie', 'b-tie', 'unverified']);
    expect(slugsOf(await search({ language: 'Welsh' }))).toEqual(['unverified', 'oldest']);
  });

  it('names the filters whose value no creator has, and the closest one, in a header', async () => {
    const namesOf = async (params: SearchParams) =>
      (await api.search(params, await pool.key())).headers['x-filters-unknown'];
    expect(await namesOf({ country, category: randomWord(), language: randomWord() })).toBe(
      'category, language',
    );
    expect(await namesOf({ country: randomWord(), min_followers: 1 })).toBe('country');
    expect(await namesOf({ country })).toBeUndefined();
    expect(await namesOf({ country, q: randomWord() })).toBeUndefined();
    // The values are counted again every second.
    await eventually(async () =>
      expect(await namesOf({ country, language: 'Wlesh' })).toBe('language;closest="Welsh"'),
    );
  });
});

// Every bound of every parameter: apps/gateway/src/validation.
describe('the query of a search', () => {});
