import { type Account, admin, daysFromNow, type Key, type Lot, succeeded } from '../support/admin-api.js';
import { createAccount, createFundedAccount, purchase } from '../support/accounts.js';
import { api } from '../support/public-api.js';
import { typesOf } from '../support/fields.js';
import { randomWord } from '../support/random.js';

const accountFields = {
  id: 'string',
  name: 'string',
  email: 'string',
  created_at: 'string',
  credits_remaining: 'integer',
};

async function expectInvalid(path: string, body: unknown, ...fields: string[]): Promise<void> {
  const reply = await admin.call('POST', path, body);
  expect({ body, status: reply.status }).toEqual({ body, status: 400 });
  expect(Object.keys((reply.body as { details: object }).details)).toEqual(expect.arrayContaining(fields));
}

describe('the admin API asks for its token', () => {
  it.each([
    ['no header', undefined],
    ['a wrong token', 'Bearer wrong'],
    ['another scheme', admin.authorization.authorization.replace('Bearer', 'Basic')],
    ['a longer token', `${admin.authorization.authorization}x`],
  ])('401 with %s', async (_what, authorization) => {
    const reply = await admin.send('/packs', {
      headers: authorization === undefined ? {} : { authorization },
    });
    expect(reply.status).toBe(401);
    expect(Object.keys(reply.body as object)).toEqual(['error']);
    expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
  });

  it('401 for the API key of a customer', async () => {
    const { key } = await createFundedAccount();
    expect((await admin.send('/packs', { headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
  });

  it('an unknown path is a 404, another method a 405 with Allow', async () => {
    expect((await admin.call('GET', '/nothing')).status).toBe(404);
    const reply = await admin.call('DELETE', '/packs');
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toContain('GET');
    expect(Object.keys(reply.body)).toEqual(['error']);
  });

  it('is not on the public port', async () => {
    const { authorization } = admin.authorization;
    expect((await api.send('/admin/v1/packs', { headers: { authorization } })).status).toBe(404);
  });
});

describe('POST /accounts', () => {
  it('201 with id, name, email, created_at, credits_remaining', async () => {
    const name = 'Zoë & Söhne 株式会社';
    const reply = await admin.call<Account>('POST', '/accounts', { name, email: 'zoe@customer.example' });
    expect(reply.status).toBe(201);
    expect(typesOf(reply.body)).toEqual(accountFields);
    expect(reply.body).toMatchObject({ name, email: 'zoe@customer.example', credits_remaining: 0 });
    expect(Math.abs(Date.parse(reply.body.created_at) - Date.now())).toBeLessThan(60_000);
  });

  it('400 with details for a body that is not valid', async () => {
    await expectInvalid('/accounts', {}, 'name', 'email');
    await expectInvalid('/accounts', { name: ' ', email: 'a@b.example' }, 'name');
    await expectInvalid('/accounts', { name: 'A', email: 'no address' }, 'email');
    await expectInvalid('/accounts', { name: 'A', email: 'a@b.example', credits: 5 }, 'credits');
    await expectInvalid('/accounts', { name: 'A\0', email: 'a@b.example' }, 'name');
    await expectInvalid('/accounts', []);
  });

  it('400 for a body that is not JSON, 415 for another content type', async () => {
    const post = (type: string) =>
      admin.send('/accounts', {
        method: 'POST',
        headers: { ...admin.authorization, 'content-type': type },
        body: '{"name":',
      });
    expect((await post('application/json')).status).toBe(400);
    expect((await post('text/html')).status).toBe(415);
  });
});

describe('GET /accounts', () => {
  it('lists every account once, page by page', async () => {
    const created = await Promise.all(Array.from({ length: 3 }, () => createAccount()));
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const page: { accounts: Account[]; next_cursor: string | null } = succeeded(
        await admin.call('GET', `/accounts?limit=100${query}`),
      );
      for (const account of page.accounts) expect(typesOf(account)).toEqual(accountFields);
      seen.push(...page.accounts.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(created.map(({ id }) => id)));
  });

  it('one with its lots, oldest first', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    await purchase(id, { pack: 'builder', purchased_at: daysFromNow(-3) });
    const account = await admin.account(id);
    expect(typesOf(account)).toEqual({ ...accountFields, lots: 'array' });
    expect(account.lots.map(({ pack }) => pack)).toEqual(['builder', 'trial']);
    for (const lot of account.lots) {
      expect(typesOf(lot)).toEqual({
        id: 'string',
        pack: 'string',
        credits: 'integer',
        remaining: 'integer',
        price_cents: 'integer',
        purchased_at: 'string',
        expires_at: 'string',
        reference: 'string',
      });
    }
  });

  it.each(['00000000-0000-7000-8000-000000000000', 'nobody', '%00'])(
    '404 for the unknown id %s',
    async (id) => {
      const reply = await admin.call('GET', `/accounts/${id}`);
      expect(reply.status).toBe(404);
      expect(Object.keys(reply.body as object)).toEqual(['error']);
    },
  );
});

describe('the keys of an account', () => {
  it('POST: 201 with id, name, key, prefix, active, created_at; the key is shown once', async () => {
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

  it('GET, PATCH and DELETE one', async () => {
    const { id, keyId } = await createFundedAccount();
    const path = `/accounts/${id}/keys/${keyId}`;
    expect(await admin.call('PATCH', path, { name: 'Renamed' })).toMatchObject({
      status: 200,
      body: { name: 'Renamed', active: true },
    });
    expect(await admin.call('GET', path)).toMatchObject({
      status: 200,
      body: { id: keyId, name: 'Renamed' },
    });
    expect((await admin.call('DELETE', path)).status).toBe(200);
    expect((await admin.call('DELETE', path)).status).toBe(404);
    expect((await admin.call('GET', path)).status).toBe(404);
  });

  it('400 for an invalid name or state, and for a change of nothing', async () => {
    const { id, keyId } = await createFundedAccount();
    await expectInvalid(`/accounts/${id}/keys`, { name: '' }, 'name');
    for (const body of [{}, { active: 'no' }, { name: 5 }, { colour: 'red' }]) {
      expect((await admin.call('PATCH', `/accounts/${id}/keys/${keyId}`, body)).status).toBe(400);
    }
  });

  it('404 for the key of another account', async () => {
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

describe('POST /accounts/{id}/purchases', () => {
  it('201 with the lot; the same reference again: 200, the same lot, nothing added', async () => {
    const { id } = await createAccount();
    const order = { pack: 'trial', reference: 'order 1' };
    const first = await admin.call<Lot>('POST', `/accounts/${id}/purchases`, order);
    const again = await admin.call<Lot>('POST', `/accounts/${id}/purchases`, order);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.id).toBe(first.body.id);
    expect(await admin.balance(id)).toBe(50);
  });

  it('50 times at once with one reference: one lot', async () => {
    const { id } = await createAccount();
    const order = { pack: 'builder', reference: randomWord() };
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => admin.call<Lot>('POST', `/accounts/${id}/purchases`, order)),
    );
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(49).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await admin.account(id)).lots).toHaveLength(1);
    expect(await admin.balance(id)).toBe(500);
  });

  it('409 when the reference is known with other content', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial', reference: 'order 1' });
    const other = { pack: 'builder', reference: 'order 1' };
    expect((await admin.call('POST', `/accounts/${id}/purchases`, other)).status).toBe(409);
    expect(await admin.balance(id)).toBe(50);
  });

  it('a reference is unique per account, not for all', async () => {
    const [one, other] = [await createAccount(), await createAccount()];
    const lots = [
      await purchase(one.id, { pack: 'trial', reference: 'shared' }),
      await purchase(other.id, { pack: 'trial', reference: 'shared' }),
    ];
    expect(lots[0]?.id).not.toBe(lots[1]?.id);
  });

  it('purchased_at may lie in the past, not in the future', async () => {
    const { id } = await createAccount();
    const at = daysFromNow(-12);
    const lot = await purchase(id, { pack: 'trial', purchased_at: at });
    expect(Date.parse(lot.purchased_at)).toBe(Date.parse(at));
    const future = { pack: 'trial', reference: randomWord(), purchased_at: daysFromNow(1) };
    await expectInvalid(`/accounts/${id}/purchases`, future, 'purchased_at');
  });

  it.each([
    ['an unknown pack', { pack: 'huge' }, 'pack'],
    ['no reference', { pack: 'trial', reference: '' }, 'reference'],
    ['credits with a fixed pack', { pack: 'trial', credits: 60 }, 'credits'],
    ['a price with a fixed pack', { pack: 'scale', price_cents: 1 }, 'price_cents'],
    ['enterprise without an amount', { pack: 'enterprise', price_cents: 180_000 }, 'credits'],
    ['enterprise without a price', { pack: 'enterprise', credits: 10_000 }, 'price_cents'],
    ['fewer than 10,000', { pack: 'enterprise', credits: 9_999, price_cents: 999_900 }, 'credits'],
    ['a price under 18 cents', { pack: 'enterprise', credits: 10_000, price_cents: 179_999 }, 'price_cents'],
    ['half a credit', { pack: 'enterprise', credits: 10_000.5, price_cents: 200_000 }, 'credits'],
    ['a time without a zone', { pack: 'trial', purchased_at: '2024-01-01T00:00:00' }, 'purchased_at'],
  ])('400 for %s', async (_what, order, field) => {
    const { id } = await createAccount();
    await expectInvalid(`/accounts/${id}/purchases`, { reference: randomWord(), ...order }, field);
    expect(await admin.balance(id)).toBe(0);
  });

  it('404 for an unknown account', async () => {
    const path = '/accounts/00000000-0000-7000-8000-000000000000/purchases';
    expect((await admin.call('POST', path, { pack: 'trial', reference: 'x' })).status).toBe(404);
  });
});

describe('GET /packs', () => {
  it('has the four packs', async () => {
    const { packs } = succeeded(
      await admin.call<{ packs: { pack: string; credits: number; price_cents: number | null }[] }>(
        'GET',
        '/packs',
      ),
    );
    expect(packs.map(({ pack, credits, price_cents: price }) => [pack, credits, price])).toEqual([
      ['trial', 50, 1_900],
      ['builder', 500, 14_900],
      ['scale', 2_500, 59_900],
      ['enterprise', 10_000, null],
    ]);
  });
});
