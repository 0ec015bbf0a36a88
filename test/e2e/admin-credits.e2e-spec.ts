import { eventually } from '#testing';
import { adjust, createAccount, createFundedAccount, purchase } from '../support/accounts.js';
import { type AdminReply, admin, type Lot } from '../support/admin-api.js';
import { api, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));

function post<Made>(accountId: string, what: string, body: object): Promise<AdminReply<Made>> {
  return admin.call<Made>('POST', `/accounts/${accountId}/${what}`, body);
}

// Everything else that can be given and taken: apps/billing/src/credits; each route: apps/gateway/src/admin/admin-endpoints.int-spec.ts.
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
    const some = expect.any(String) as string;
    const named = { id: some, at: some, lot_id: some, charge_id: some, state: some };
    const ofCall = { request_id: requestId, operation: 'profile', key_id: keyId };
    const movement = { type: 'charge', credits: -1, reference: null, reason: null };
    expect(entries[2]).toEqual({ ...named, ...ofCall, ...movement });
    expect(entries[3]).toMatchObject({ charge_id: null, request_id: null, operation: null, state: null });
    await eventually(async () => {
      expect((await admin.ledger(id)).map(({ state }) => state)).toEqual([null, 'posted', 'posted', null]);
    }, 5_000);
  });
});

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
