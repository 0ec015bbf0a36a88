import { type CreatorResult } from '@app/client';
import { admin, daysFromNow } from '../support/admin-api.js';
import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { clientOf } from '../support/client-of.js';
import { typesOf } from '../support/fields.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const updatedAt = daysFromNow(-3);
const full = catalog.record('full', {
  name: 'Çağla Güneştepe ✨',
  tagline: 'Street food, "one" stall at a time',
  languages: ['Türkçe', 'English'],
  website: 'https://full.example/about?x=1',
  categories: ['food-drink', 'travel'],
  platforms: [
    catalog.account({ platform: 'youtube', followers: 3_000_000_000, updated_at: updatedAt }),
    catalog.account({ platform: 'x', followers: 5, url: 'https://x.example/own-url' }),
  ],
});
const bare = {
  slug: `${catalog.marker}-bare`,
  name: 'Bare',
  country: catalog.country,
  languages: [],
  categories: [],
  platforms: [],
};
const unpublished = catalog.record('unpublished', { published: false });

let account: TestAccount;

function profile(slug: string): Promise<CreatorResult> {
  return clientOf(account.key).creator(slug);
}

beforeAll(async () => {
  account = await createFundedAccount();
  await catalog.importVisible([full, bare, unpublished]);
});
afterAll(() => catalog.remove());

describe('a full profile', () => {
  it('has the eleven fields of the table, credits_used, credits_remaining, and no others', async () => {
    const reply = await api.profile(full.slug, account.key);
    expect(reply.status).toBe(200);
    expect(typesOf(reply.body)).toEqual({
      slug: 'string',
      name: 'string',
      url: 'string',
      tagline: 'string',
      country: 'string',
      languages: 'array',
      verified: 'boolean',
      website: 'string',
      categories: 'array',
      total_reach: 'integer',
      platforms: 'array',
      credits_used: 'integer',
      credits_remaining: 'integer',
    });
  });

  it.each([
    ['slug', full.slug],
    ['name', full.name],
    ['tagline', full.tagline],
    ['country', full.country],
    ['languages', full.languages],
    ['verified', true],
    ['website', full.website],
    ['categories', full.categories],
    ['total_reach', 3_000_000_005],
  ])('%s: as imported', async (field, value) => {
    expect(await profile(full.slug)).toHaveProperty(field, value);
  });

  it('url: the same as in a search result', async () => {
    const { url } = await profile(full.slug);
    const found = await api.search({ country: catalog.country, q: 'Çağla' }, account.key);
    expect(url).toBe(found.body.creators[0]?.url);
    expect(new URL(url).pathname.endsWith(`/creators/${full.slug}`)).toBe(true);
  });

  it('website: left out when unknown; tagline "", verified false and empty lists stay', async () => {
    const body = await profile(bare.slug);
    expect(body).not.toHaveProperty('website');
    expect(body).toMatchObject({
      tagline: '',
      verified: false,
      languages: [],
      categories: [],
      total_reach: 0,
      platforms: [],
    });
  });

  it('platforms: handle, profile URL, followers and updated_at of each, the time in ISO 8601 UTC', async () => {
    const { platforms } = await profile(full.slug);
    expect(platforms).toHaveLength(2);
    for (const entry of platforms) {
      expect(typesOf(entry)).toEqual({
        platform: 'string',
        handle: 'string',
        url: 'string',
        followers: 'integer',
        updated_at: 'string',
      });
    }
    const youtube = platforms.find(({ platform }) => platform === 'youtube');
    expect(youtube).toMatchObject({ handle: `@${full.platforms[0]?.handle}`, followers: 3_000_000_000 });
    expect(youtube?.updated_at).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
    expect(Date.parse(youtube?.updated_at ?? '')).toBe(Date.parse(updatedAt));
  });

  it('platforms: the imported url, or one built from platform and handle', async () => {
    const { platforms } = await profile(full.slug);
    const urls = new Map(platforms.map(({ platform, url }) => [platform, url]));
    expect(urls.get('x')).toBe('https://x.example/own-url');
    expect(urls.get('youtube')).toContain(full.platforms[0]?.handle);
  });
});

describe('a call for a profile', () => {
  it('costs 1 credit', async () => {
    expect((await profile(full.slug)).credits_used).toBe(1);
    expect(await spentBy(account.id, () => profile(full.slug))).toBe(1);
  });

  it('reports the balance after the call', async () => {
    const before = await admin.balance(account.id);
    expect((await profile(full.slug)).credits_remaining).toBe(before - 1);
  });

  it('takes no query parameters: any is a 400 that names it, and free', async () => {
    const spent = await spentBy(account.id, async () => {
      const reply = await api.get(`${paths.profile(full.slug)}?limit=5`, account.key);
      expect(reply).toMatchObject({ status: 400 });
      expect(Object.keys(reply.body.details)).toEqual(['limit']);
    });
    expect(spent).toBe(0);
  });

  it.each([
    ['an unknown slug', `${catalog.marker}-nobody`],
    ['an unpublished creator', unpublished.slug],
    ['capitals', full.slug.toUpperCase()],
    ['a name', encodeURIComponent(full.name)],
    ['a trailing hyphen', `${full.slug}-`],
    ['101 characters', 'a'.repeat(101)],
    ['a NUL', '%00'],
    ['an encoded slash', `${catalog.marker}%2Ffull`],
    ['a prototype name', '__proto__'],
    ['a path upwards', '..%2Fsearch'],
  ])('404 for %s, free', async (_what, slug) => {
    const spent = await spentBy(account.id, async () => {
      const reply = await api.profile(slug, account.key);
      expect(reply).toMatchObject({ status: 404 });
      expect(Object.keys(reply.body)).toEqual(['error']);
    });
    expect(spent).toBe(0);
  });

  it.each(['%ff', '%zz'])('a path that cannot be decoded, %s, is refused for free', async (slug) => {
    const spent = await spentBy(account.id, async () => {
      const reply = await api.profile(slug, account.key);
      expect([400, 404]).toContain(reply.status);
    });
    expect(spent).toBe(0);
  });

  it('404 comes before 402', async () => {
    const poor = await createFundedAccount({ credits: 0 });
    expect((await api.profile(`${catalog.marker}-nobody`, poor.key)).status).toBe(404);
    expect((await api.profile(full.slug, poor.key)).status).toBe(402);
  });
});
