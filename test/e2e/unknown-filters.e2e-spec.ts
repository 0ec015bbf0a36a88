import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
let account: TestAccount;

beforeAll(async () => {
  account = await createFundedAccount();
  await catalog.importVisible([catalog.record('someone')], new KeyPool());
});
afterAll(() => catalog.remove());

describe('a search with a filter whose value no creator has', () => {
  it('is a free 200 with the body of every search, and a header that names the filter', async () => {
    const spent = await spentBy(account.id, async () => {
      const reply = await api.search({ country: randomWord(), min_followers: 1 }, account.key);
      expect(reply.status).toBe(200);
      expect(reply.headers['x-filters-unknown']).toBe('country');
      expect(Object.keys(reply.body).sort()).toEqual(
        ['creators', 'credits_remaining', 'credits_used', 'returned', 'total'].sort(),
      );
      expect(reply.body.total).toBe(0);
    });
    expect(spent).toBe(0);
  });

  it('names all of them; and none when the values exist, whether creators match or not', async () => {
    const { country } = catalog;
    const unknown = { country, category: randomWord(), language: randomWord() };
    expect((await api.search(unknown, account.key)).headers['x-filters-unknown']).toBe('category, language');
    for (const known of [{ country }, { country, q: randomWord() }]) {
      expect((await api.search(known, account.key)).headers).not.toHaveProperty('x-filters-unknown');
    }
  });
});
