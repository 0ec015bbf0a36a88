import { eventually } from '#testing';
import { admin, type Key, succeeded } from '../support/admin-api.js';
import { createFundedAccount } from '../support/accounts.js';
import { McpConsumer } from '../support/mcp.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));

async function expectRefused(key: string): Promise<void> {
  for (const reply of [await api.profile(slug, key), await api.search({}, key)]) {
    expect(reply).toMatchObject({ status: 401 });
    expect(Object.keys(reply.body)).toEqual(['error']);
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
  }
}

let usable: string;
beforeAll(async () => (usable = (await createFundedAccount()).key));

const statusWith = async (authorization?: string): Promise<number> => {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return (await api.send(paths.profile(slug), { headers })).status;
};

describe('a 401', () => {
  it.each<[string, (key: string) => string | undefined]>([
    ['no header', () => undefined],
    ['another scheme', (key) => `Basic ${key}`],
    ['no scheme', (key) => key],
    ['no key', () => 'Bearer'],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a key with text after it', (key) => `Bearer ${key}x`],
    ['a key in another case', (key) => `Bearer ${key.toUpperCase()}`],
  ])('for %s', async (_what, header) => {
    expect(await statusWith(header(usable))).toBe(401);
  });

  it('for a key with a typing error', async () => {
    const at = usable.length - 8;
    await expectRefused(usable.slice(0, at) + (usable[at] === 'a' ? 'b' : 'a') + usable.slice(at + 1));
  });

  it('for the admin token', () => expectRefused(admin.authorization.authorization.slice('Bearer '.length)));
});

describe('a key that is switched off or deleted is refused within a second', () => {
  const change = {
    'switched off': (path: string) => admin.call('PATCH', path, { active: false }),
    deleted: (path: string) => admin.call('DELETE', path),
  };

  it.each(['switched off', 'deleted'] as const)('%s, while it is in use', async (how) => {
    const { id, key, keyId } = await createFundedAccount();
    expect((await api.profile(slug, key)).status).toBe(200);
    expect((await change[how](`/accounts/${id}/keys/${keyId}`)).status).toBeLessThan(300);
    await eventually(() => expectRefused(key), 1_000);
    // It looks like an unknown one.
    const unknown = await api.search({}, `csk_${'0'.repeat(38)}`);
    expect((await api.search({}, key)).text).toBe(unknown.text);
    const balance = await admin.balance(id);
    const later = await Promise.all(Array.from({ length: 20 }, () => api.profile(slug, key)));
    expect(later.map(({ status }) => status)).toEqual(Array<number>(20).fill(401));
    expect(await admin.balance(id)).toBe(balance);
  });

  it('every key of an account that is suspended, until it is resumed; it costs nothing', async () => {
    const { id, key, keys } = await createFundedAccount({ keys: 2 });
    expect((await api.profile(slug, key)).status).toBe(200);
    const suspended = await admin.call('POST', `/accounts/${id}/suspend`, { reason: 'fraud' });
    expect(suspended.body).toMatchObject({ suspension_reason: 'fraud', credits_remaining: 999 });
    for (const each of keys) await eventually(() => expectRefused(each.key), 1_000);
    expect(await admin.balance(id)).toBe(999);
    await admin.call('POST', `/accounts/${id}/resume`);
    await eventually(async () => expect((await api.profile(slug, key)).status).toBe(200), 1_000);
  });
});

it('a key at its monthly limit is refused with 403, which says what is spent and when the limit resets', async () => {
  const { id } = await createFundedAccount({ credits: 100 });
  const limited = { name: 'limited', monthly_limit: 1 };
  const created = await admin.call<Key & { key: string }>('POST', `/accounts/${id}/keys`, limited);
  const { id: keyId, key } = succeeded(created);
  const path = `/accounts/${id}/keys/${keyId}`;
  expect((await api.profile(slug, key)).status).toBe(200);
  const refused = await api.profile(slug, key);
  const key_limit = { limit: 1, spent: 1, resets_at: expect.stringMatching(/-01T00:00:00\.000Z$/) as string };
  expect([refused.status, refused.body]).toEqual([
    403,
    {
      error: expect.stringMatching(
        /^This call costs 1 credit, more than is left of the monthly limit of this API key\. The limit resets on \d{4}-\d\d-01 at 00:00 UTC/,
      ) as string,
      key_limit,
    },
  ]);
  expect((await api.balance(key)).body).toMatchObject({ credits_remaining: 99, key_limit });
  const consumer = await McpConsumer.connect('modern', key);
  expect(await consumer.call('get_balance')).toMatchObject({ key_limit });
  await consumer.close();
  await admin.call('PATCH', path, { monthly_limit: null });
  expect((await api.profile(slug, key)).status).toBe(200);
});

describe('an API key', () => {
  it('identifies the caller and is tied to the balance of its account', async () => {
    const rich = await createFundedAccount({ credits: 100, keys: 2 });
    const other = await createFundedAccount({ credits: 7 });
    const [first, second] = rich.keys;
    await api.profile(slug, first?.key ?? '');
    const reply = await api.profile(slug, second?.key ?? '');
    expect(reply.body.credits_remaining).toBe(98);
    expect(await admin.balance(other.id)).toBe(7);
  });

  it('is one of at most 5 of an account, deleted ones not counted', async () => {
    const { id, keyId } = await createFundedAccount({ keys: 5 });
    const sixth = () => admin.call('POST', `/accounts/${id}/keys`, { name: 'one too many' });
    const refused = await sixth();
    expect([refused.status, Object.keys(refused.body)]).toEqual([409, ['error']]);
    await admin.call('DELETE', `/accounts/${id}/keys/${keyId}`);
    expect((await sixth()).status).toBe(201);
  });
});
