import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { eventually } from '#testing';
import { admin, daysFromNow, succeeded } from '../support/admin-api.js';
import { McpConsumer } from '../support/mcp.js';
import { newVisitor } from '../support/members.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const updatedAt = daysFromNow(-3);
const full = catalog.record('full', {
  name: 'Çağla Güneştepe ✨',
  tagline: 'Street food, "one" stall at a time',
  languages: ['Türkçe', 'English'],
  website: 'https://full.example/about?x=1',
  categories: ['food-drink', 'travel'],
  platforms: [
    catalog.account({ platform: 'youtube', followers: 3_000_000_000, updated_at: updatedAt }),
    catalog.account({ platform: 'x', followers: 5, url: 'https://mobile.twitter.com/own_url' }),
  ],
});
const bare = {
  slug: `${catalog.marker}-bare`,
  name: 'Bare',
  country: catalog.country,
  languages: [],
  categories: [],
  platforms: [catalog.account({ followers: 0 })],
};
const unpublished = catalog.record('unpublished', { published: false });
const gone = catalog.record('gone', { name: 'Joined and gone' });
const kept = catalog.record('kept');

let account: TestAccount;
beforeAll(async () => {
  account = await createFundedAccount();
  await catalog.importVisible([full, bare, unpublished, gone, kept]);
});

describe('a full profile', () => {
  it('has all fields as they were imported, the URL of search results, and no others', async () => {
    const found = await api.search({ country: catalog.country, q: 'Çağla' }, account.key);
    const { status, body } = await api.profile(full.slug, account.key);
    const [youtube, x] = full.platforms;
    expect([status, body]).toEqual([
      200,
      {
        slug: full.slug,
        name: full.name,
        url: found.body.creators[0]?.url,
        tagline: full.tagline,
        country: full.country,
        languages: full.languages,
        verified: true,
        website: full.website,
        categories: full.categories,
        total_reach: 3_000_000_005,
        platforms: [
          {
            platform: 'youtube',
            handle: `@${youtube?.handle}`,
            // Made from platform and handle.
            url: expect.stringContaining(youtube?.handle ?? '') as string,
            followers: 3_000_000_000,
            updated_at: updatedAt,
          },
          {
            platform: 'x',
            handle: `@${x?.handle}`,
            url: 'https://mobile.twitter.com/own_url',
            followers: 5,
            updated_at: x?.updated_at,
          },
        ],
        credits_used: 1,
        credits_remaining: found.body.credits_remaining - 1,
      },
    ]);
    expect(new URL(body.url).pathname.endsWith(`/creators/${full.slug}`)).toBe(true);
  });

  it('has no website when it is unknown; empty fields stay', async () => {
    const { body } = await api.profile(bare.slug, account.key);
    expect(body).not.toHaveProperty('website');
    const empty = { languages: [], categories: [] };
    expect(body).toMatchObject({ ...empty, tagline: '', verified: false, total_reach: 0 });
  });
});

describe('a call for a profile', () => {
  it.each([
    ['a query parameter', `${paths.profile(full.slug)}?limit=5`, 400],
    ['an unknown slug', paths.profile(`${catalog.marker}-nobody`), 404],
    ['a creator who is not published', paths.profile(unpublished.slug), 404],
  ])('is refused for %s, free', async (_what, path, status) => {
    const spent = await spentBy(account.id, async () => {
      const reply = await api.get(path, account.key);
      expect(reply.status).toBe(status);
      const details = status === 400 ? { details: { limit: [expect.any(String) as string] } } : {};
      expect(reply.body).toEqual({ error: expect.any(String) as string, ...details });
    });
    expect(spent).toBe(0);
  });
});

describe('the old slug of a creator who was joined into another', () => {
  beforeAll(async () => {
    succeeded(await admin.call('POST', `/creators/${gone.slug}/join`, { into: kept.slug }));
  });

  it('still answers, with the slug of today, for the price of a profile; unchanged it is free, repeated it is paid once', async () => {
    const current = await api.profile(kept.slug, account.key);
    const old = await api.profile(gone.slug, account.key);
    const credits_remaining = current.body.credits_remaining - 1;
    expect([old.status, old.body]).toEqual([200, { ...current.body, credits_remaining }]);
    expect(old.body.url).toMatch(new RegExp(`/creators/${kept.slug}$`));
    expect(old.headers.etag).toBe(current.headers.etag);
    const get = (headers: Record<string, string>) =>
      api.get(paths.profile(gone.slug), account.key, { headers });
    const spent = await spentBy(account.id, async () => {
      expect((await get({ 'if-none-match': String(current.headers.etag) })).status).toBe(304);
      const once = { 'idempotency-key': catalog.marker };
      expect((await get(once)).status).toBe(200);
      await eventually(async () => expect((await get(once)).status).toBe(200), 5_000);
    });
    expect(spent).toBe(1);
  });

  it('leads the tool and the page of the creator to the one of today, and is in no search', async () => {
    const consumer = await McpConsumer.connect('modern', account.key);
    expect(await consumer.call('get_creator', { slug: gone.slug })).toMatchObject({ slug: kept.slug });
    await consumer.close();
    const page = await newVisitor().get(`/creators/${gone.slug}`);
    expect([page.status, page.headers.get('location')]).toEqual([301, `/creators/${kept.slug}`]);
    await eventually(async () => {
      expect((await api.search({ q: gone.name, country: catalog.country }, account.key)).body.total).toBe(0);
    }, 1_000);
  });
});
