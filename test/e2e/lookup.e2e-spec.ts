import { eventually } from '@app/testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin, daysFromNow, succeeded } from '../support/admin-api.js';
import { api, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const limit = 60;
const catalog = new SuiteCatalog();
const handles = { one: randomWord(), two: randomWord(), shared: randomWord(), hidden: randomWord() };
const channel = `UC${randomWord(22)}`;

const one = catalog.record('one', {
  platforms: [catalog.account({ handle: handles.one, url: `https://www.youtube.com/channel/${channel}` })],
});
const two = catalog.record('two', {
  platforms: [
    catalog.account({ platform: 'x', handle: handles.two }),
    catalog.account({ platform: 'instagram', handle: handles.shared, updated_at: daysFromNow(-2) }),
  ],
});
const older = catalog.record('older', {
  platforms: [
    catalog.account({ platform: 'instagram', handle: handles.shared, updated_at: daysFromNow(-3) }),
  ],
});
const hidden = catalog.record('hidden', {
  published: false,
  platforms: [catalog.account({ handle: handles.hidden })],
});

beforeAll(() => catalog.importVisible([one, two, older, hidden]));
afterAll(() => catalog.remove());

async function slugOf(account: Readonly<Record<string, string>>, key: string): Promise<string | null> {
  const reply = await api.lookUp(account, key);
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body)).toEqual(['slug']);
  return reply.body.slug;
}

describe('GET /lookup', () => {
  it.each([
    ['a link', { url: `https://www.youtube.com/@${handles.one}` }, one.slug],
    ['a link as people paste it', { url: ` YouTube.com/@${handles.one}/videos?si=x ` }, one.slug],
    ['the link of a channel', { url: `m.youtube.com/channel/${channel}` }, one.slug],
    ['the old name of a site', { url: `https://twitter.com/${handles.two}?s=20` }, two.slug],
    ['a platform and a handle', { platform: 'x', handle: handles.two }, two.slug],
    [
      'a handle with an @ in upper case',
      { platform: 'x', handle: `@${handles.two.toUpperCase()}` },
      two.slug,
    ],
    [
      'an account of two, who has the newer data',
      { platform: 'instagram', handle: handles.shared },
      two.slug,
    ],
    ['the handle on another platform', { platform: 'tiktok', handle: handles.one }, null],
    [
      'the id of a channel in another case',
      { url: `youtube.com/channel/UC${channel.slice(2).toUpperCase()}` },
      null,
    ],
    ['an account that nobody has', { url: `https://x.com/${randomWord()}` }, null],
    ['an account of a creator who is not published', { platform: 'youtube', handle: handles.hidden }, null],
  ])('%s', async (_what, account, slug) => {
    const { key } = await createFundedAccount();
    expect(await slugOf(account, key)).toBe(slug);
  });

  it.each([
    ['nothing', {}, ['url']],
    ['a link to a post', { url: 'https://www.instagram.com/p/CxYz123/' }, ['url']],
    ['a link to another site', { url: 'https://creators.example/@mira' }, ['url']],
    ['no link', { url: 'mira' }, ['url']],
    ['no platform', { handle: 'mira' }, ['platform']],
    ['no handle', { platform: 'x' }, ['handle']],
    ['an unknown platform', { platform: 'myspace', handle: 'mira' }, ['platform']],
    ['both', { url: 'x.com/mira', platform: 'x', handle: 'mira' }, ['handle', 'platform', 'url']],
    ['another parameter', { url: 'x.com/mira', limit: '1' }, ['limit']],
  ])('400 for %s, naming what is wrong', async (_what, account, names) => {
    const { key } = await createFundedAccount();
    const reply = await api.lookUp(account, key);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details).sort()).toEqual(names);
  });

  it('finds who has just been imported, and nobody who is gone', async () => {
    const handle = randomWord();
    const account = { platform: 'youtube', handle };
    const { keys } = await createFundedAccount({ keys: 5 });
    const found = async () => {
      const slugs = await Promise.all(keys.map(({ key }) => slugOf(account, key)));
      return [...new Set(slugs)];
    };
    const mover = catalog.record('mover', { platforms: [catalog.account({ handle })] });
    await catalog.importVisible([mover, one, two, older]);
    expect(await found()).toEqual([mover.slug]);
    succeeded(await admin.call('PATCH', `/creators/${mover.slug}`, { published: false }));
    await eventually(async () => expect(await found()).toEqual([null]), 5_000);
    succeeded(await admin.call('PATCH', `/creators/${mover.slug}`, { published: true }));
    await eventually(async () => expect(await found()).toEqual([mover.slug]), 5_000);
    await admin.call('DELETE', `/creators/${mover.slug}`);
    await eventually(async () => expect(await found()).toEqual([null]), 5_000);
  });
});

describe('POST /lookup', () => {
  it('answers in the order asked, one that names no account with its problem', async () => {
    const { key } = await createFundedAccount();
    const accounts = [
      { url: `https://x.com/${handles.two}` },
      { platform: 'youtube', handle: randomWord() },
      { url: `https://www.youtube.com/@${handles.one}` },
      { url: 'https://x.com/mira/status/1234567890' },
      { platform: 'myspace', handle: 'mira' },
      { url: `youtube.com/@${handles.hidden}` },
      { url: `https://x.com/${handles.two}` },
    ];
    const reply = await api.lookUpMany({ accounts }, key);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['results']]);
    expect(reply.body.results).toEqual([
      { slug: two.slug },
      { slug: null },
      { slug: one.slug },
      { slug: null, problem: expect.stringContaining('url leads to a post') as string },
      { slug: null, problem: expect.stringContaining('platform') as string },
      { slug: null },
      { slug: two.slug },
    ]);
  });

  it('takes 100 accounts, and not 101', async () => {
    const { key } = await createFundedAccount();
    const accounts = Array.from({ length: 101 }, (_, index) =>
      index % 10 === 9 ? { platform: 'x', handle: handles.two } : { url: `https://x.com/${randomWord()}` },
    );
    const { status, body } = await api.lookUpMany({ accounts: accounts.slice(0, 100) }, key);
    expect(status).toBe(200);
    expect(body.results.map(({ slug }) => slug)).toEqual(
      Array.from({ length: 100 }, (_, index) => (index % 10 === 9 ? two.slug : null)),
    );
    const refused = await api.lookUpMany({ accounts }, key);
    expect([refused.status, refused.body.details]).toEqual([
      400,
      { accounts: ['accounts must be a list of 1 to 100 accounts'] },
    ]);
  });

  it.each([
    ['no accounts', {}, ['accounts']],
    ['an empty list', { accounts: [] }, ['accounts']],
    ['a link by itself', { url: 'https://x.com/mira' }, ['accounts', 'url']],
    ['an account that is a string', { accounts: [{ url: 'x.com/a' }, 'x.com/b'] }, ['accounts[1]']],
    ['a handle without a platform', { accounts: [{ handle: 'mira' }] }, ['accounts[0].platform']],
    ['a number for a link', { accounts: [{ url: 'x.com/a' }, { url: 7 }] }, ['accounts[1].url']],
    ['another field', { accounts: [{ url: 'x.com/a', id: 1 }] }, ['accounts[0].id']],
  ])('400 for %s, naming what is wrong', async (_what, body, names) => {
    const { key } = await createFundedAccount();
    const reply = await api.lookUpMany(body, key);
    expect(reply.status).toBe(400);
    expect(Object.keys(reply.body.details).sort()).toEqual(names);
  });

  it('400 for what is not JSON, 415 for what is not sent as JSON, 413 above 64 KiB', async () => {
    const { key } = await createFundedAccount();
    const post = (body: string, type: string) =>
      api.get(paths.lookup, key, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('{"accounts": [', 'application/json')).status).toBe(400);
    expect((await post('url=x.com/mira', 'application/x-www-form-urlencoded')).status).toBe(415);
    const large = JSON.stringify({ accounts: [{ url: 'x'.repeat(65_536) }] });
    expect((await post(large, 'application/json')).status).toBe(413);
  });
});

describe('look-ups', () => {
  it('are free, with a balance of 0 too, and are no usage', async () => {
    const { id, key } = await createFundedAccount({ credits: 0 });
    const spent = await spentBy(id, async () => {
      expect(await slugOf({ platform: 'x', handle: handles.two }, key)).toBe(two.slug);
      const reply = await api.lookUpMany({ accounts: [{ url: `x.com/${handles.two}` }] }, key);
      expect(reply.body.results).toEqual([{ slug: two.slug }]);
      expect(reply.headers).not.toHaveProperty('x-credits-used');
    });
    expect(spent).toBe(0);
    expect((await api.usage(key)).body.usage).toEqual([]);
    expect((await api.calls(key)).body.calls).toEqual([]);
  });

  it('have a limit of 60 a minute of their own, for single ones and batches together', async () => {
    const { keys } = await createFundedAccount({ keys: 2 });
    const [key = '', other = ''] = keys.map((each) => each.key);
    const hundred = Array.from({ length: 100 }, () => ({ url: `x.com/${handles.two}` }));
    const first = await api.lookUpMany({ accounts: hundred }, key);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"lookup";q=60;w=60',
      ratelimit: expect.stringMatching(/^"lookup";r=59;t=\d+$/) as string,
    });
    const replies = await Promise.all(
      Array.from({ length: limit - 1 }, (_, index) =>
        index % 2 === 0
          ? api.lookUp({ platform: 'x', handle: handles.two }, key)
          : api.lookUpMany({ accounts: [{ url: 'mira' }] }, key),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit - 1);

    const single = await api.lookUp({ platform: 'x', handle: handles.two }, key);
    const batch = await api.lookUpMany({ accounts: hundred }, key);
    for (const refused of [single, batch]) {
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
      expect(refused.body.error).toMatch(/^A key may look up accounts 60 times in 60 seconds; try again in /);
    }
    expect((await api.search({ q: randomWord() }, key)).status).toBe(200);
    expect((await api.balance(key)).status).toBe(200);
    expect((await api.lookUp({ platform: 'x', handle: handles.two }, other)).status).toBe(200);
  });

  it('401 without a key, 405 for another method', async () => {
    const { key } = await createFundedAccount();
    expect((await api.send(`${paths.lookup}?url=x.com/mira`)).status).toBe(401);
    const reply = await api.get(paths.lookup, key, { method: 'DELETE' });
    expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST']);
  });
});
