import { admin } from '../support/admin-api.js';
import { createFundedAccount } from '../support/accounts.js';
import { eventually } from '../support/eventually.js';
import { KeyPool } from '../support/key-pool.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator], new KeyPool()));
afterAll(() => catalog.remove());

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

describe('many calls at once on one account', () => {
  it('400 profile calls on 137 credits: 137 succeed, each balance is reported once, it ends at 0', async () => {
    const credits = 137;
    const { id, keys } = await createFundedAccount({ credits, keys: 5 });
    const replies = await Promise.all(
      Array.from({ length: 400 }, (_, index) => api.profile(slug, keys[index % 5]?.key ?? '')),
    );
    const paid = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status === 402);
    expect([paid.length, refused.length]).toEqual([credits, 400 - credits]);
    const balances = paid.map(({ body }) => body.credits_remaining).sort((one, other) => one - other);
    expect(balances).toEqual(Array.from({ length: credits }, (_, balance) => balance));
    expect(new Set(refused.map(({ body }) => body.credits_remaining))).toEqual(new Set([0]));
    expect(await admin.balance(id)).toBe(0);
    expect(sum((await admin.ledger(id)).map((entry) => entry.credits))).toBe(0);
  });

  it('calls of different price: what was paid for is what was taken', async () => {
    const credits = 100;
    const { id, keys } = await createFundedAccount({ credits, keys: 3 });
    const calls = keys.flatMap(({ key }) =>
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0
          ? api.profile(slug, key)
          : api.search(
              index % 3 === 1 ? { country: catalog.country } : { country: catalog.country, q: 'some' },
              key,
            ),
      ),
    );
    const replies = await Promise.all(calls);
    const used = replies.filter(({ status }) => status === 200).map(({ body }) => body.credits_used);
    expect(replies.every(({ status }) => status === 200 || status === 402)).toBe(true);
    expect(await admin.balance(id)).toBe(credits - sum(used));
    expect(await admin.balance(id)).toBeLessThan(3);
  });

  it('every charge of an answered call is posted soon after', async () => {
    const { id, key } = await createFundedAccount({ credits: 50 });
    await Promise.all(Array.from({ length: 50 }, () => api.profile(slug, key)));
    await eventually(async () => {
      const charges = (await admin.ledger(id)).filter(({ type }) => type === 'charge');
      expect(charges.map(({ state }) => state)).toEqual(Array<string>(50).fill('posted'));
    }, 5_000);
  });

  it('leaves the ledger without a discrepancy', async () => {
    const audit = await admin.audit();
    expect(audit).toMatchObject({ ok: true, discrepancies: [] });
  });
});
