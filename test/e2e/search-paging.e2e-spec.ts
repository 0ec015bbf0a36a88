import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { daysFromNow } from '../support/admin-api.js';
import { nextPath } from '../support/calls.js';
import { KeyPool } from '../support/key-pool.js';
import { api, type PublicReply, type SearchBody, type SearchParams } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creatorsMax = 800;
/** Many short pages, so that many imports happen meanwhile. */
const pageSize = 20;
let account: TestAccount;

beforeAll(async () => {
  account = await createFundedAccount({ credits: 10_000 });
});

/** All pages from this one on. */
async function* pagesFrom(
  first: PublicReply<SearchBody>,
  key: () => Promise<string> = () => Promise.resolve(account.key),
): AsyncGenerator<SearchBody> {
  for (let reply = first; ;) {
    expect(reply.status).toBe(200);
    yield reply.body;
    const path = nextPath(reply);
    if (path === undefined) return;
    reply = await api.get<SearchBody>(path, await key());
  }
}

describe('the pages of a search', () => {
  beforeAll(async () => {
    const records = Array.from({ length: 7 }, (_, index) =>
      catalog.record(`page-${index}`, {
        platforms: [catalog.account({ updated_at: daysFromNow(-1 - index) })],
      }),
    );
    await catalog.importVisible(records);
  });

  it('follow each other by the Link header, each at the price of the search', async () => {
    const slugs: string[][] = [];
    const params = { country: catalog.country, q: 'creator', limit: 3 };
    const spent = await spentBy(account.id, async () => {
      for await (const page of pagesFrom(await api.search(params, account.key))) {
        expect(page).toMatchObject({ total: 7, returned: page.creators.length, credits_used: 3 });
        slugs.push(page.creators.map(({ slug }) => slug));
      }
    });
    expect(slugs.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(slugs.flat()).toEqual(Array.from({ length: 7 }, (_, n) => `${catalog.marker}-page-${n}`));
    expect(spent).toBe(9);
  });

  it('are in the order of sort, largest first, by reach or by followers on the platform, at no other price', async () => {
    const own = new SuiteCatalog();
    const record = (name: string, youtube: number, x: number) =>
      own.record(name, {
        platforms: [own.account({ followers: youtube }), own.account({ platform: 'x', followers: x })],
      });
    await own.importVisible([
      record('b', 5, 70),
      record('c', 30, 1),
      record('a', 15, 60),
      record('d', 90, 1),
    ]);
    const read = async (order: SearchParams): Promise<string> => {
      const slugs: string[] = [];
      const params = { ...order, country: own.country, limit: 1 };
      for await (const page of pagesFrom(await api.search(params, account.key))) {
        expect(page.credits_used).toBe(order.platform === undefined ? 2 : 3);
        slugs.push(...page.creators.map(({ slug }) => slug.slice(-1)));
      }
      return slugs.join('');
    };
    expect(await read({ sort: 'reach' })).toBe('dabc');
    expect(await read({ sort: 'followers', platform: 'x' })).toBe('bacd');
    expect(await read({ sort: 'reach', platform: 'x' })).toBe('dabc');
    await own.remove();
  });

  it('may differ in length', async () => {
    const first = await api.search({ country: catalog.country, limit: 2 }, account.key);
    const path = nextPath(first)?.replace('limit=2', 'limit=5') ?? '';
    const second = await api.get<SearchBody>(path, account.key);
    expect(second.body.returned).toBe(5);
    expect(nextPath(second)).toBeUndefined();
  });

  it.each([
    ['of other filters', (path: string) => `${path}&min_followers=1`],
    ['of another order', (path: string) => `${path}&sort=reach`],
    ['that is not ours', (path: string) => path.replace(/cursor=[^&]+/, 'cursor=abc')],
    ['that is cut off', (path: string) => path.replace(/(cursor=[^&]{20})[^&]+/, '$1')],
  ])('400 for a cursor %s, free', async (_which, change) => {
    const first = await api.search({ country: catalog.country, limit: 2 }, account.key);
    const spent = await spentBy(account.id, async () => {
      const reply = await api.get(change(nextPath(first) ?? ''), account.key);
      expect(reply.status).toBe(400);
      expect(Object.keys(reply.body.details)).toEqual(['cursor']);
    });
    expect(spent).toBe(0);
  });

  it('goes on with another key of the account, and is a 400 with a key of another one, free', async () => {
    const [{ keys }, other] = await Promise.all([createFundedAccount({ keys: 2 }), createFundedAccount()]);
    const first = await api.search({ country: catalog.country, limit: 2 }, keys[0]?.key ?? '');
    const path = nextPath(first) ?? '';
    expect((await api.get(path, keys[1]?.key ?? '')).status).toBe(200);
    const spent = await spentBy(other.id, async () => {
      const reply = await api.get(path, other.key);
      expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, ['cursor']]);
    });
    expect(spent).toBe(0);
  });

  it('no Link without another page, and none on an error', async () => {
    const whole = await api.search({ country: catalog.country }, account.key);
    expect(whole.headers.link).toBeUndefined();
    const poor = await createFundedAccount({ credits: 1 });
    const refused = await api.search({ country: catalog.country, limit: 1 }, poor.key);
    expect([refused.status, refused.headers.link]).toEqual([402, undefined]);
  });
});

it(`all pages of ${creatorsMax} creators, read while others are imported, show every unchanged creator once`, async () => {
  const others = new SuiteCatalog();
  const record = (index: number, changedAt: number) =>
    others.record(`many-${index}`, {
      platforms: [others.account({ updated_at: daysFromNow(changedAt) })],
    });
  const records = Array.from({ length: creatorsMax }, (_, index) => record(index, -30 - (index % 97)));
  await others.importVisible(records);

  const changed = records.filter((_, index) => index % 10 === 0).map(({ slug }) => slug);
  let imported = 0;
  let isRead = false;
  const importing = (async () => {
    while (!isRead) {
      const at = imported % 10;
      // Some move to the front, some to the back, and new ones come in between.
      const moved = records.filter((_, index) => index % 100 === at * 10);
      await others.import([
        ...moved.map(({ slug }, index) => ({ ...record(0, index % 2 === 0 ? -1 : -500), slug })),
        ...Array.from({ length: 20 }, (_, index) => record(creatorsMax + 20 * imported + index, -30 - index)),
      ]);
      imported += 1;
    }
  })();

  const seen = new Map<string, number>();
  const pool = new KeyPool();
  const first = await api.search({ country: others.country, limit: pageSize }, await pool.key());
  for await (const page of pagesFrom(first, () => pool.key())) {
    for (const { slug } of page.creators) seen.set(slug, (seen.get(slug) ?? 0) + 1);
  }
  isRead = true;
  await importing;
  expect(imported).toBeGreaterThan(1);
  const unchanged = records.map(({ slug }) => slug).filter((slug) => !changed.includes(slug));
  expect(unchanged.filter((slug) => seen.get(slug) !== 1)).toEqual([]);
  await others.remove();
}, 120_000);
