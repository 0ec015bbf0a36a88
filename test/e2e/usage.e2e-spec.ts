import { eventually } from '@app/testing';
import { createFundedAccount, spentBy } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

beforeAll(() => catalog.importVisible([creator]));
afterAll(() => catalog.remove());

const today = (): string => new Date().toISOString().slice(0, 10);

describe('GET /usage', () => {
  it('counts calls and credits of the whole account by day, key and operation, as the operator sees them; free', async () => {
    const { id, keys } = await createFundedAccount({ keys: 2 });
    const [key, otherKey] = keys.map((issued) => issued.key) as [string, string];
    const [one, two] = [clientOf(key), clientOf(otherKey)];
    await one.search({ limit: 1 });
    await one.search({ limit: 1, country: catalog.country });
    await two.search({ limit: 1 });
    await expect(one.creator('nobody-at-all')).rejects.toMatchObject({ status: 404 });
    await two.creator(creator.slug);
    // A charge is posted a moment after its answer.
    await eventually(async () => {
      const { usage } = await one.usage();
      expect(usage.reduce((sum, { calls }) => sum + calls, 0)).toBe(4);
    });
    const spent = await spentBy(id, async () => {
      const reply = await api.usage(otherKey);
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

  it('covers the last 30 days unless from and to say otherwise', async () => {
    const { key } = await createFundedAccount();
    const client = clientOf(key);
    const { from, to } = await client.usage();
    expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(29);
    const days = { from: '2026-01-01', to: '2026-01-31' };
    expect(await client.usage(days)).toEqual({ ...days, usage: [], requestId: expect.any(String) as string });
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
