import { createAccount, createFundedAccount, purchase } from '../support/accounts.js';
import { type Account, admin, daysFromNow, type Key, succeeded } from '../support/admin-api.js';
import { typesOf } from '../support/fields.js';
import { api } from '../support/public-api.js';

const unknownId = '00000000-0000-7000-8000-000000000000';
const accountFields = {
  id: 'string',
  name: 'string',
  email: 'string',
  created_at: 'string',
  credits_remaining: 'integer',
};

// Every rule of a body: apps/gateway/src/admin/admin-requests.int-spec.ts.
describe('the admin API', () => {
  it('has a 401 without its token, with a longer one and with the API key of a customer', async () => {
    const { key } = await createFundedAccount();
    const token = admin.authorization.authorization;
    for (const authorization of ['', token.replace('Bearer', 'Basic'), `${token}x`, `Bearer ${key}`]) {
      const reply = await admin.send('/packs', { headers: authorization === '' ? {} : { authorization } });
      expect([reply.status, Object.keys(reply.body as object)]).toEqual([401, ['error']]);
    }
  });

  it('is not on the public port', async () => {
    expect((await api.send('/admin/v1/packs', { headers: admin.authorization })).status).toBe(404);
  });
});

describe('an account', () => {
  it('is created with a name, an email address and no credits', async () => {
    const named = { name: 'Zoë & Söhne 株式会社', email: 'zoe@customer.example' };
    const reply = await admin.call<Account>('POST', '/accounts', named);
    expect([reply.status, typesOf(reply.body)]).toEqual([201, accountFields]);
    expect(reply.body).toMatchObject({ ...named, credits_remaining: 0 });
    expect(Math.abs(Date.parse(reply.body.created_at) - Date.now())).toBeLessThan(60_000);
  });

  it('is listed once, on some page', async () => {
    const created = await Promise.all(Array.from({ length: 3 }, () => createAccount()));
    const ids = created.map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && !ids.every((id) => seen.includes(id));) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { accounts: Account[]; next_cursor: string | null } = succeeded(
        await admin.call('GET', `/accounts?limit=100${query}`),
      );
      const mine = page.accounts.filter(({ id }) => ids.includes(id));
      for (const account of mine) expect(typesOf(account)).toEqual(accountFields);
      seen.push(...page.accounts.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids));
  });

  it('is shown with its lots, oldest first', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    await purchase(id, { pack: 'builder', purchased_at: daysFromNow(-3) });
    const account = await admin.account(id);
    expect(typesOf(account)).toEqual({ ...accountFields, lots: 'array' });
    expect(account.lots.map(({ pack }) => pack)).toEqual(['builder', 'trial']);
    expect(typesOf(account.lots[0] ?? {})).toEqual({
      id: 'string',
      pack: 'string',
      credits: 'integer',
      refund: 'null',
      remaining: 'integer',
      price_cents: 'integer',
      purchased_at: 'string',
      expires_at: 'string',
      reference: 'string',
    });
  });
});

describe('a key of an account', () => {
  it('is created active, and its secret is shown only once', async () => {
    const { id } = await createAccount();
    const reply = await admin.call<Key & { key: string }>('POST', `/accounts/${id}/keys`, { name: 'Laptop' });
    expect(reply).toMatchObject({ status: 201, body: { name: 'Laptop', active: true } });
    expect(reply.body.key).toMatch(/^csk_[0-9A-Za-z]{30,}$/);
    expect(reply.body.key.startsWith(reply.body.prefix)).toBe(true);
    expect(reply.body.prefix.length).toBeLessThan(16);
    const list = await admin.call('GET', `/accounts/${id}/keys`);
    expect(list.text).toContain(reply.body.prefix);
    expect(list.text).not.toContain(reply.body.key);
  });

  it('is shown, renamed and deleted', async () => {
    const { id, keyId } = await createFundedAccount();
    const path = `/accounts/${id}/keys/${keyId}`;
    const body = { id: keyId, name: 'Renamed', active: true };
    expect(await admin.call('PATCH', path, { name: 'Renamed' })).toMatchObject({ status: 200, body });
    expect(await admin.call('GET', path)).toMatchObject({ status: 200, body });
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect((await admin.call('DELETE', path)).status).toBe(404);
    expect((await admin.call('GET', path)).status).toBe(404);
  });

  it('is not found below another account', async () => {
    const [one, other] = [await createFundedAccount(), await createFundedAccount()];
    const path = `/accounts/${one.id}/keys/${other.keyId}`;
    expect((await admin.call('GET', path)).status).toBe(404);
    expect((await admin.call('PATCH', path, { active: false })).status).toBe(404);
    await admin.call('DELETE', path);
    expect(await admin.call('GET', `/accounts/${other.id}/keys/${other.keyId}`)).toMatchObject({
      status: 200,
      body: { active: true },
    });
  });
});

it('a sign-in link is for a member of the account only', async () => {
  const [{ id, email }, stranger] = [await createAccount(), await createAccount()];
  const request = (accountId: string, body: object = {}) =>
    admin.call<{ readonly url: string }>('POST', `/accounts/${accountId}/sign-in-link`, body);
  const made = await request(id);
  expect(made).toMatchObject({ status: 201, body: { email, valid_for_seconds: 3_600 } });
  expect(made.body.url).toMatch(/^https?:\/\/[^/]+\/account\/sign-in\/link\?token=[\w-]{43}$/);
  expect((await request(unknownId)).status).toBe(404);
  expect((await request(id, { email: stranger.email })).status).toBe(404);
});
