import { createFundedAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const limit = 60;
const pool = new KeyPool();
const catalog = SuiteCatalog.forSuite();
const handles = { one: randomWord(), two: randomWord(), second: randomWord(), hidden: randomWord() };
const channel = `UC${randomWord(22)}`;

const one = catalog.record('one', {
  platforms: [catalog.account({ handle: handles.one, url: `https://www.youtube.com/channel/${channel}` })],
});
const two = catalog.record('two', {
  platforms: [
    catalog.account({ platform: 'x', handle: handles.two }),
    catalog.account({ platform: 'instagram', handle: handles.second }),
  ],
});
const hidden = catalog.record('hidden', {
  published: false,
  platforms: [catalog.account({ handle: handles.hidden })],
});

beforeAll(() => catalog.importVisible([one, two, hidden]));

type Account = Readonly<Record<string, string>>;

async function slugOf(account: Account, key: string): Promise<string | null> {
  const reply = await api.lookUp(account, key);
  expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['slug']]);
  return reply.body.slug;
}

// Every form of a link: apps/catalog/src/lookup; every wrong request: apps/gateway/src/validation.
describe('GET /lookup', () => {
  it.each<[string, Account, string | null]>([
    ['a link', { url: `https://www.youtube.com/@${handles.one}` }, one.slug],
    ['the link of a channel', { url: `m.youtube.com/channel/${channel}` }, one.slug],
    ['another account of theirs', { platform: 'instagram', handle: handles.second }, two.slug],
    ['an unknown account', { url: `https://x.com/${randomWord()}` }, null],
    ['a creator who is not published', { platform: 'youtube', handle: handles.hidden }, null],
  ])('%s: %j is %s', async (_what, account, slug) => {
    expect(await slugOf(account, await pool.key())).toBe(slug);
  });
});

describe('POST /lookup', () => {
  it('answers 100 accounts in their order, with a problem for one that names no account', async () => {
    const key = await pool.key();
    const accounts = [
      { url: `https://x.com/${handles.two}` },
      { platform: 'youtube', handle: randomWord() },
      { url: 'https://x.com/mira/status/1234567890' },
      { platform: 'myspace', handle: 'mira' },
      ...Array.from({ length: 96 }, () => ({ url: `https://www.youtube.com/@${handles.one}` })),
    ];
    const reply = await api.lookUpMany({ accounts }, key);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['results']]);
    expect(reply.body.results).toEqual([
      { slug: two.slug },
      { slug: null },
      { slug: null, problem: expect.stringContaining('url leads to a post') as string },
      { slug: null, problem: expect.stringContaining('platform') as string },
      ...Array<object>(96).fill({ slug: one.slug }),
    ]);
    const { status, body } = await api.lookUpMany({ accounts: [...accounts, accounts[0]] }, key);
    expect([status, body.details]).toEqual([
      400,
      { accounts: ['accounts must be a list of 1 to 100 accounts'] },
    ]);
  });
});

describe('look-ups', () => {
  const known = { platform: 'x', handle: handles.two };

  it('have a limit of 60 a minute and account of their own, single ones and batches together', async () => {
    const { keys } = await createFundedAccount({ keys: 2 });
    const [key = '', other = ''] = keys.map((each) => each.key);
    const hundred = Array(100).fill(known);
    const first = await api.lookUpMany({ accounts: hundred }, key);
    expect(first.headers).toMatchObject({
      'ratelimit-policy': '"lookup";q=60;w=60',
      ratelimit: expect.stringMatching(/^"lookup";r=59;t=\d+$/) as string,
    });
    const replies = await Promise.all(
      Array.from({ length: limit - 1 }, (_, index) =>
        index % 2 === 0 ? api.lookUp(known, key) : api.lookUpMany({ accounts: [{ url: 'mira' }] }, key),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(limit - 1);
    for (const refused of [await api.lookUp(known, key), await api.lookUpMany({ accounts: hundred }, key)]) {
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
      expect(refused.body.error).toMatch(
        /^An account may look up links and handles 60 times in 60 seconds; try again in /,
      );
    }
    expect((await api.search({ q: randomWord() }, key)).status).toBe(200);
    expect((await api.balance(key)).status).toBe(200);
    expect((await api.lookUp(known, other)).status).toBe(429);
  });
});
