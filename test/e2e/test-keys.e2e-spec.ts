import {
  createAccount,
  createFundedAccount,
  createKey,
  purchase,
  type TestAccount,
} from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { nextPath } from '../support/calls.js';
import { McpConsumer } from '../support/mcp.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const real = catalog.record('real');

/** Has no credits. */
let accountId: string;
let key: string;
let other: TestAccount;

beforeAll(async () => {
  ({ id: accountId } = await createAccount());
  ({ key } = await createKey(accountId, 'trying it', 'test'));
  other = await createFundedAccount();
  await catalog.importVisible([real]);
});

it('answers every operation with fictional creators, as if credits were taken, without any', async () => {
  expect(key).toMatch(/^csk_test_\w{38}$/);
  const brazil = { country: 'Brazil', category: 'fitness' };
  const found = await api.search({ ...brazil, limit: 2 }, key);
  const charged = { credits_used: 3, credits_remaining: 1_000 };
  expect(found).toMatchObject({ status: 200, body: { total: 3, returned: 2, ...charged } });
  expect(found.body.creators.map(({ name }) => name)).toEqual(['Luna Example', 'Bruno Example']);
  expect(found.headers['x-credits-remaining']).toBe('1000');
  expect(await api.get(nextPath(found) ?? '', key)).toMatchObject({
    body: { creators: [{ name: 'Carla Example' }] },
  });

  const profile = await api.profile('example-luna', key);
  expect(profile.body).toMatchObject({ website: 'https://luna.example.com', credits_used: 1 });
  const headers = { 'if-none-match': profile.headers['etag'] ?? '' };
  const unchanged = await api.get(paths.profile('example-luna'), key, { headers });
  expect([unchanged.status, unchanged.headers['x-credits-used']]).toEqual([304, '0']);

  const accounts = found.body.creators.flatMap((creator) => creator.platforms);
  const looked = await api.lookUpMany({ accounts: accounts.map(({ url }) => ({ url })) }, key);
  expect(looked.body.results).toEqual([
    ...Array<unknown>(3).fill({ slug: 'example-luna' }),
    { slug: 'example-bruno' },
  ]);
  const filters = await api.filters(key);
  expect(filters.body.platforms.map(({ platform }) => platform).sort()).toEqual([
    'facebook',
    'instagram',
    'tiktok',
    'x',
    'youtube',
  ]);
  expect(await api.search({ country: 'Brasilia' }, key)).toMatchObject({
    body: { total: 0, credits_used: 0 },
  });
  const agent = await McpConsumer.connect('modern', key);
  expect(await agent.call('get_balance')).toMatchObject({ credits_remaining: 1_000 });
  await agent.close();
});

it('leaves no charge, call or usage, and spends nothing of the account', async () => {
  const { id } = await purchase(accountId, { pack: 'trial' });
  await api.profile('example-luna', key);
  const [balance, usage, calls] = await Promise.all([api.balance(key), api.usage(key), api.calls(key)]);
  expect(balance.body).toEqual({ credits_remaining: 1_000, lots: [] });
  expect([usage.body.usage, calls.body.calls]).toEqual([[], []]);
  expect((await admin.ledger(accountId)).map((entry) => entry.lot_id)).toEqual([id]);
  expect(await admin.balance(accountId)).toBe(50);
});

it('never shows creators of the catalog, nor a live key the fictional ones', async () => {
  const handle = real.platforms[0]?.handle ?? '';
  expect((await api.profile(real.slug, key)).status).toBe(404);
  expect((await api.profile('example-luna', other.key)).status).toBe(404);
  expect((await api.lookUp({ platform: 'youtube', handle }, key)).body).toEqual({ slug: null });
  expect((await api.search({ q: 'example..luna.test' }, other.key)).body.total).toBe(0);
  const found = await api.search({ limit: 100 }, key);
  expect(found.body).toMatchObject({ total: 17, returned: 17 });
  expect(found.body.creators.filter(({ slug }) => slug === real.slug)).toEqual([]);
});

it('gives cursors that a live key of the same account cannot use', async () => {
  const { key: live } = await createKey(accountId);
  const next = nextPath(await api.search({ limit: 1 }, key)) ?? '';
  expect([(await api.get(next, key)).status, (await api.get(next, live)).status]).toEqual([200, 400]);
});

it.each([
  ['error-402', 402, { credits_needed: 1, credits_remaining: 0 }, undefined],
  ['error-403', 403, { key_limit: { limit: 100, spent: 100 } }, undefined],
  ['error-429', 429, {}, '1'],
  ['error-503', 503, {}, '1'],
])('gives the error of the slug and the keyword %s', async (word, status, body, retryAfter) => {
  const reply = await api.profile(word, key);
  expect(reply).toMatchObject({ status, body });
  expect(reply.headers['retry-after']).toBe(retryAfter);
  expect((await api.search({ q: word }, key)).status).toBe(status);
});
