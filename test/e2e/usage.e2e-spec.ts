import { eventually } from '@app/testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { KeyPool } from '../support/key-pool.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

beforeAll(() => catalog.importVisible([creator], new KeyPool()));
afterAll(() => catalog.remove());

const today = (): string => new Date().toISOString().slice(0, 10);

describe('design 11: GET /usage', () => {
  it('counts calls and credits of the whole account by day, key and operation, as the operator sees them; free', async () => {
    const { id, keys } = await createFundedAccount({ keys: 2 });
    const [one, two] = keys.map(({ key }) => key) as [string, string];
    await api.search({ limit: 1 }, one);
    await api.search({ limit: 1, country: catalog.country }, one);
    await api.search({ limit: 1 }, two);
    await api.profile('nobody-at-all', one);
    await api.profile(creator.slug, two);
    // A charge is posted a moment after its answer.
    await eventually(async () => {
      const { usage } = (await api.usage(one)).body;
      expect(usage.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    });
    const spent = await spentBy(id, async () => {
      const reply = await api.usage(two);
      expect(reply.status).toBe(200);
      expect(Object.keys(reply.body)).toEqual(['from', 'to', 'usage']);
      expect(reply.body.to).toBe(today());
      expect(reply.body.usage).toEqual(await admin.usage(id));
      expect(reply.body.usage.filter(({ key_id }) => key_id === keys[0]?.id)).toEqual([
        { day: today(), key_id: keys[0]?.id, operation: 'search', calls: 2, credits: 3 },
      ]);
    });
    expect(spent).toBe(0);
  });

  it('covers the last 30 days unless it is told which', async () => {
    const { key } = await createFundedAccount();
    const { from, to } = (await api.usage(key)).body;
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
    const asked = await api.usage(key, '?from=2026-01-01&to=2026-01-31');
    expect(asked.body).toEqual({ from: '2026-01-01', to: '2026-01-31', usage: [] });
  });

  it.each([
    ['?from=yesterday', ['from']],
    ['?from=2026-02-30&to=1', ['from', 'to']],
    ['?from=2026-02-02&to=2026-02-01', ['from', 'to']],
    ['?from=2020-01-01&to=2026-02-01', ['from', 'to']],
    ['?days=3', ['days']],
  ])('400 for %s', async (query, names) => {
    const { key } = await createFundedAccount();
    const reply = await api.usage(key, query);
    expect([reply.status, Object.keys(reply.body.details).sort()]).toEqual([400, names]);
  });

  it('401 without a key', async () => {
    expect((await api.send(paths.usage)).status).toBe(401);
  });
});
