import { type Creator } from '@app/client';
import { daysFromNow } from '../support/admin-api.js';
import { typesOf } from '../support/fields.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type SearchBody, type SearchParams } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
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
  catalog.record('no-platforms', { languages: ['Welsh'], platforms: [] }),
  ...Array.from({ length: 110 }, (_, index) =>
    catalog.record(`old-${index}`, { platforms: [account('youtube', { updated_at: daysFromNow(-30) })] }),
  ),
];
const publishedCount = records.length - 1;

async function search(params: SearchParams = {}): Promise<SearchBody> {
  const reply = await api.search({ country, ...params }, await pool.key());
  expect(reply).toMatchObject({ status: 200 });
  return reply.body;
}

async function firstEntry(): Promise<Creator> {
  const [first] = (await search({ limit: 1 })).creators;
  if (!first) throw new Error('the search found nothing');
  return first;
}

const slugsOf = ({ creators }: SearchBody) =>
  creators.map(({ slug }) => slug.replace(`${catalog.marker}-`, ''));

beforeAll(() => catalog.importVisible(records, pool));
afterAll(() => catalog.remove());

describe('a creator in a search result', () => {
  it('has the six fields of the table and no others', async () => {
    expect(typesOf(await firstEntry())).toEqual({
      slug: 'string',
      name: 'string',
      url: 'string',
      country: 'string',
      total_reach: 'integer',
      platforms: 'array',
    });
  });

  it('slug: identifies the creator', async () => {
    expect((await firstEntry()).slug).toBe(everyPlatform.slug);
  });

  it('name: as it was written, accents and capitals kept', async () => {
    expect((await firstEntry()).name).toBe('Zoë Everywhere');
  });

  it('url: the full profile URL, /creators/ and the slug on the site', async () => {
    const { url, slug } = await firstEntry();
    expect(new URL(url).pathname).toMatch(new RegExp(`/creators/${slug}$`));
  });

  it('country: as it was written', async () => {
    expect((await firstEntry()).country).toBe(country);
  });

  it('total_reach: the sum of the followers on all platforms, beyond 32 bits', async () => {
    expect((await firstEntry()).total_reach).toBe(4_000_000_123);
  });

  it('platforms: one entry per account; an empty list for a creator without', async () => {
    expect((await firstEntry()).platforms).toHaveLength(5);
    const lonely = (await search({ q: 'no-platforms' })).creators[0];
    expect(lonely?.platforms).toEqual([]);
    expect(lonely?.total_reach).toBe(0);
  });
});

describe('a platform of a creator in a search result', () => {
  it('has the four fields of the table and no others', async () => {
    for (const entry of (await firstEntry()).platforms) {
      expect(typesOf(entry)).toEqual({
        platform: 'string',
        handle: 'string',
        url: 'string',
        followers: 'integer',
      });
    }
  });

  it('platform: one of youtube, instagram, tiktok, facebook, x', async () => {
    const names = (await firstEntry()).platforms.map(({ platform }) => platform);
    expect(names.sort()).toEqual(['facebook', 'instagram', 'tiktok', 'x', 'youtube']);
  });

  it('handle: with a leading @', async () => {
    const expected = new Map(everyPlatform.platforms.map(({ platform, handle }) => [platform, `@${handle}`]));
    const { platforms } = await firstEntry();
    expect(new Map(platforms.map(({ platform, handle }) => [platform, handle]))).toEqual(expected);
  });

  it('url: an absolute URL of the account, naming its handle', async () => {
    for (const { url, handle } of (await firstEntry()).platforms) {
      expect(new URL(url).protocol).toBe('https:');
      expect(url).toContain(handle.slice(1));
    }
  });

  it('followers: the latest count, 0 included', async () => {
    const { platforms } = await firstEntry();
    const counts = new Map(platforms.map(({ platform, followers }) => [platform, followers]));
    expect(counts.get('x')).toBe(0);
    expect(counts.get('facebook')).toBe(4_000_000_000);
  });
});

describe('the answer to a search', () => {
  it('has the five fields of the table, warning only when the balance is low', async () => {
    expect(typesOf(await search())).toEqual({
      total: 'integer',
      returned: 'integer',
      credits_used: 'integer',
      credits_remaining: 'integer',
      creators: 'array',
    });
  });

  it('total: every match, not only those returned; unpublished creators never count', async () => {
    expect((await search({ limit: 3 })).total).toBe(publishedCount);
  });

  it('returned: the number of creators in this response', async () => {
    const body = await search({ limit: 7 });
    expect(body.returned).toBe(7);
    expect(body.creators).toHaveLength(7);
  });

  it('creators: verified or not; unpublished ones not at all', async () => {
    expect((await search({ q: 'unverified' })).returned).toBe(1);
    expect(await search({ q: 'unpublished' })).toMatchObject({ total: 0, returned: 0, creators: [] });
  });

  it('order: most recent data first by the newest platform, ties by slug, without platforms last', async () => {
    expect(slugsOf(await search({ limit: 4 }))).toEqual(['every-platform', 'a-tie', 'b-tie', 'unverified']);
    expect(slugsOf(await search({ language: 'Welsh' }))).toEqual(['unverified', 'no-platforms']);
  });

  it('order: the platform filter changes neither the order nor the platforms listed', async () => {
    const { creators } = await search({ platform: 'youtube', limit: 2 });
    expect(creators.map(({ slug }) => slug)).toEqual([everyPlatform.slug, `${catalog.marker}-a-tie`]);
    expect(creators[0]?.platforms).toHaveLength(5);
  });
});

describe('the parameter limit', () => {
  it.each([
    [undefined, 50],
    [1, 1],
    [50, 50],
    [100, 100],
  ])('limit %s returns %i creators', async (limit, returned) => {
    const body = await search(limit === undefined ? {} : { limit });
    expect(body).toMatchObject({ returned, total: publishedCount });
    expect(new Set(slugsOf(body)).size).toBe(returned);
  });

  it('is no filter: it costs nothing', async () => {
    expect((await search({ limit: 5 })).credits_used).toBe(2);
  });
});
