import { eventually } from '#testing';
import { adjust, createAccount, createFundedAccount, purchase } from '../support/accounts.js';
import { type AdminReply, admin, daysFromNow, type Lot } from '../support/admin-api.js';
import { environment } from '../support/environment.js';
import { typesOf } from '../support/fields.js';
import { api, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;
const unknownId = '00000000-0000-7000-8000-000000000000';

beforeAll(() => catalog.importVisible([creator]));
afterAll(() => catalog.remove());

type Created = AdminReply<{ id: string }>;

function post<Made>(accountId: string, what: string, body: object): Promise<AdminReply<Made>> {
  return admin.call<Made>('POST', `/accounts/${accountId}/${what}`, body);
}

// Expiry, order of lots and references per account: apps/billing/src/credits.
describe('POST /accounts/{id}/purchases', () => {
  it('201 with the lot; the same reference again: 200 with the same lot, nothing added', async () => {
    const { id } = await createAccount();
    const order = { pack: 'builder', reference: randomWord() };
    const replies = await Promise.all(Array.from({ length: 20 }, () => post<Lot>(id, 'purchases', order)));
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect((await admin.account(id)).lots).toHaveLength(1);
    expect(await admin.balance(id)).toBe(500);
    expect((await post(id, 'purchases', { ...order, pack: 'trial' })).status).toBe(409);
    expect(await admin.balance(id)).toBe(500);
  });

  it.each<[object, string]>([
    [{ pack: 'trial', credits: 60 }, 'credits'],
    [{ pack: 'enterprise', credits: 10_000, price_cents: 179_999 }, 'price_cents'],
    [{ pack: 'trial', purchased_at: daysFromNow(1) }, 'purchased_at'],
  ])('400 for %j, which adds nothing', async (order, field) => {
    const { id } = await createAccount();
    const reply = await post(id, 'purchases', { reference: randomWord(), ...order });
    expect([reply.status, Object.keys(reply.body.details)]).toEqual([400, [field]]);
    expect(await admin.balance(id)).toBe(0);
  });
});

describe('POST /accounts/{id}/adjustments', () => {
  const adjustment = (id: string, changes: object): Promise<Created> =>
    post(id, 'adjustments', { reason: 'slow answers last week', reference: randomWord(), ...changes });

  it('409 for a correction below 0, which takes nothing', async () => {
    const { id } = await createFundedAccount({ credits: 10 });
    expect((await adjustment(id, { credits: -11 })).status).toBe(409);
    expect(await admin.balance(id)).toBe(10);
    expect((await adjustment(id, { credits: -10 })).status).toBe(201);
    expect(await admin.balance(id)).toBe(0);
  });
});

describe('POST /accounts/{id}/lots/{lot_id}/refund', () => {
  it('takes back what is left of the lot, once for a reference', async () => {
    const { id } = await createAccount();
    const invoiced = await purchase(id, { pack: 'builder' });
    await purchase(id, { pack: 'trial' });
    const note = { reason: 'ordered by mistake', reference: randomWord() };
    const refund = (body: object = note): Promise<AdminReply<Lot>> =>
      post(id, `lots/${invoiced.id}/refund`, body);
    const replies = [await refund(), await refund()];
    expect(replies.map(({ status }) => status)).toEqual([201, 200]);
    for (const { body } of replies) {
      expect(body).toMatchObject({
        id: invoiced.id,
        remaining: 0,
        refund: { ...note, credits_taken_back: 500, credits_not_recovered: 0 },
      });
    }
    expect(await admin.balance(id)).toBe(50);
    expect((await refund({ ...note, reason: 'another' })).status).toBe(409);
    const [newest] = await admin.ledger(id);
    expect(newest).toMatchObject({ type: 'adjustment', credits: -500, lot_id: invoiced.id, ...note });
  });
});

describe('POST and DELETE /accounts/{id}/agreement', () => {
  const terms = { credits: 12_000, price_cents: 216_000 };
  const start = (id: string, body: object) => post<{ ended_at: string | null }>(id, 'agreement', body);

  it('grants the first month at once, is the only one until it is ended, and leaves what it granted', async () => {
    const { id } = await createAccount();
    const starts_at = daysFromNow(5);
    expect(await start(id, terms)).toMatchObject({ status: 201, body: { ...terms, ended_at: null } });
    await eventually(async () => expect(await admin.balance(id)).toBe(12_000), 15_000);
    const { lots } = await admin.account(id);
    expect(lots).toMatchObject([{ pack: 'enterprise', ...terms }]);
    expect((await start(id, { ...terms, starts_at })).status).toBe(409);
    const end = () => admin.call<{ ended_at: string }>('DELETE', `/accounts/${id}/agreement`);
    expect(await end()).toMatchObject({
      status: 200,
      body: { ended_at: expect.stringMatching(/Z$/) as string },
    });
    expect((await end()).status).toBe(404);
    expect((await start(id, { ...terms, starts_at })).status).toBe(201);
    expect(await admin.balance(id)).toBe(12_000);
  }, 20_000);
});

describe('GET /accounts/{id}/ledger', () => {
  it('has one signed entry for each movement, newest first, with all fields', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 40 });
    const requestId = `request-${randomWord()}`;
    await api.get(paths.profile(slug), key, { headers: { 'x-request-id': requestId } });
    await api.search({ country: catalog.country }, key);
    await adjust(id, -7);
    const entries = await admin.ledger(id);
    expect(entries.map(({ type, credits }) => [type, credits])).toEqual([
      ['adjustment', -7],
      ['charge', -2],
      ['charge', -1],
      ['adjustment', 40],
    ]);
    expect(entries[2]).toMatchObject({ request_id: requestId, operation: 'profile', key_id: keyId });
    expect(typesOf(entries[2] ?? {})).toEqual({
      id: 'string',
      at: 'string',
      type: 'string',
      credits: 'integer',
      lot_id: 'string',
      charge_id: 'string',
      request_id: 'string',
      operation: 'string',
      key_id: 'string',
      state: 'string',
      reference: 'null',
      reason: 'null',
    });
    expect(entries[3]).toMatchObject({ charge_id: null, request_id: null, operation: null, state: null });
    await eventually(async () => {
      expect((await admin.ledger(id)).map(({ state }) => state)).toEqual([null, 'posted', 'posted', null]);
    }, 5_000);
  });

  it('has references and reasons, to reconcile payments, and comes as CSV', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial', reference: 'payment 42' });
    await post(id, 'adjustments', { credits: 5, reason: 'slow, twice', reference: 'ticket 7' });
    await post(id, 'adjustments', { credits: -55, reason: 'paid back', reference: 'refund 42' });
    const named = (await admin.ledger(id)).map(({ type, reference, reason }) => [type, reference, reason]);
    expect(named).toEqual([
      ['adjustment', 'refund 42', 'paid back'],
      ['adjustment', 'refund 42', 'paid back'],
      ['adjustment', 'ticket 7', 'slow, twice'],
      ['purchase', 'payment 42', null],
    ]);
    const { lots } = await admin.account(id);
    expect(lots.map(({ reference }) => reference)).toEqual(['payment 42', 'ticket 7']);

    const csv = (accountId: string) =>
      fetch(`${environment.adminUrl}/admin/v1/accounts/${accountId}/ledger.csv`, {
        headers: admin.authorization,
      });
    const lines = (await (await csv(id)).text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(1 + named.length);
    expect(lines[3]).toContain(',ticket 7,"slow, twice"');
    expect((await csv(unknownId)).status).toBe(404);
  });
});

it('GET /accounts/{id}/usage counts free searches as calls, and refused calls not at all', async () => {
  const { id, keys } = await createFundedAccount({ keys: 2 });
  const [first = '', second = ''] = keys.map(({ key }) => key);
  await api.profile(slug, first);
  await api.profile(slug, first);
  await api.search({ country: catalog.country, q: 'someone' }, first);
  await api.search({ q: randomWord() }, second);
  await api.search({ limit: 0 }, second);
  await api.profile(`${slug}-nobody`, second);
  await eventually(async () => {
    const rows = (await admin.usage(id)).map((row) => [row.key_id, row.operation, row.calls, row.credits]);
    expect(new Set(rows)).toEqual(
      new Set([
        [keys[0]?.id, 'profile', 2, 2],
        [keys[0]?.id, 'search', 1, 3],
        [keys[1]?.id, 'search', 1, 0],
      ]),
    );
  }, 3_000);
});

it.each(['ledger?limit=1000', 'ledger?cursor=nonsense', 'usage?day=1'])(
  'GET /accounts/{id}/%s is a 400',
  async (path) => {
    const { id } = await createAccount();
    expect((await admin.call('GET', `/accounts/${id}/${path}`)).status).toBe(400);
  },
);

it('GET /ledger/audit finds no discrepancy, and counts accounts, lots and entries', async () => {
  const before = await admin.audit();
  const { id } = await createAccount();
  await purchase(id, { pack: 'trial' });
  const after = await admin.audit();
  expect(Object.keys(after)).toEqual(['ok', 'accounts', 'lots', 'entries', 'discrepancies']);
  expect(after).toMatchObject({ ok: true, discrepancies: [] });
  for (const field of ['accounts', 'lots', 'entries'] as const) {
    expect(after[field]).toBeGreaterThan(before[field]);
  }
});
