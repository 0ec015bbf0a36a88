import { eventually } from '@app/testing';
import { admin, type Key } from '../support/admin-api.js';
import { adjust, createAccount, createFundedAccount, createKey } from '../support/accounts.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));
afterAll(() => catalog.remove());

async function expectRefused(key: string): Promise<void> {
  for (const reply of [await api.profile(slug, key), await api.search({}, key)]) {
    expect(reply).toMatchObject({ status: 401 });
    expect(Object.keys(reply.body)).toEqual(['error']);
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
  }
}

describe('a key in the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('accepts the scheme written %s', async (scheme) => {
    const { key } = await createFundedAccount();
    const reply = await api.send(paths.profile(slug), { headers: { authorization: `${scheme} ${key}` } });
    expect(reply.status).toBe(200);
  });
});

describe('a 401', () => {
  it('without a key', async () => {
    for (const path of [paths.search, paths.profile(slug)]) {
      const reply = await api.send(path);
      expect(reply).toMatchObject({ status: 401 });
      expect(Object.keys(reply.body)).toEqual(['error']);
    }
  });

  it.each([
    ['another scheme', (key: string) => `Basic ${key}`],
    ['no scheme', (key: string) => key],
    ['no key', () => 'Bearer'],
    ['two keys', (key: string) => `Bearer ${key} ${key}`],
    ['a key with text after it', (key: string) => `Bearer ${key}x`],
    ['a key in another case', (key: string) => `Bearer ${key.toUpperCase()}`],
  ])('for %s', async (_what, header) => {
    const { key } = await createFundedAccount();
    const reply = await api.send(paths.profile(slug), { headers: { authorization: header(key) } });
    expect(reply.status).toBe(401);
  });

  it('for a key in the query or in another header', async () => {
    const { key } = await createFundedAccount();
    expect((await api.send(`${paths.search}?key=${key}`)).status).toBe(401);
    expect((await api.send(paths.search, { headers: { 'x-api-key': key } })).status).toBe(401);
  });

  it('for a key with a typing error', async () => {
    const { key } = await createFundedAccount();
    const at = key.length - 8;
    const wrong = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
    await expectRefused(wrong);
  });

  it('for a deleted key, which looks like an unknown one', async () => {
    const { id, key, keyId } = await createFundedAccount();
    await admin.call('DELETE', `/accounts/${id}/keys/${keyId}`);
    await eventually(() => expectRefused(key));
    const unknown = await api.search({}, `csk_${'0'.repeat(38)}`);
    expect((await api.search({}, key)).text).toBe(unknown.text);
  });

  it('for the admin token', () => expectRefused(admin.authorization.authorization.slice('Bearer '.length)));

  it('comes before the validation of parameters', async () => {
    expect((await api.send(`${paths.search}?limit=0`)).status).toBe(401);
  });
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
    const balance = await admin.balance(id);
    const later = await Promise.all(Array.from({ length: 20 }, () => api.profile(slug, key)));
    expect(later.map(({ status }) => status)).toEqual(Array<number>(20).fill(401));
    expect(await admin.balance(id)).toBe(balance);
  });

  it('switched on again it works again, within a second', async () => {
    const { id, key, keyId } = await createFundedAccount();
    const path = `/accounts/${id}/keys/${keyId}`;
    await admin.call('PATCH', path, { active: false });
    await eventually(() => expectRefused(key));
    expect((await admin.call<Key>('PATCH', path, { active: true })).body.active).toBe(true);
    await eventually(async () => expect((await api.profile(slug, key)).status).toBe(200), 1_000);
  });

  it('a new key works at once, although no gateway knows it yet', async () => {
    const { id } = await createAccount();
    await adjust(id, 10);
    const { key } = await createKey(id);
    expect((await api.profile(slug, key)).status).toBe(200);
  });
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
