import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { daysFromNow } from '../support/admin-api.js';
import { nextPath } from '../support/calls.js';
import { api, type PublicReply, type SearchBody, type SearchParams } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
let account: TestAccount;

beforeAll(async () => {
  account = await createFundedAccount({ credits: 10_000 });
});

/** All pages from this one on. */
async function* pagesFrom(first: PublicReply<SearchBody>): AsyncGenerator<SearchBody> {
  for (let reply = first; ;) {
    expect(reply.status).toBe(200);
    yield reply.body;
    const path = nextPath(reply);
    if (path === undefined) return;
    reply = await api.get<SearchBody>(path, account.key);
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
});
