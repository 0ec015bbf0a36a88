import { eventually } from '#testing';
import { adjust, createAccount, createFundedAccount, createKey, purchase } from '../support/accounts.js';
import { admin, daysFromNow } from '../support/admin-api.js';
import { clientOf } from '../support/client-of.js';
import { api, paths, type PublicReply } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));

async function customer(): Promise<{ id: string; key: string }> {
  const { id } = await createAccount();
  const { key } = await createKey(id);
  return { id, key };
}

async function spend(key: string, credits: number): Promise<void> {
  const client = clientOf(key);
  const profiles = await Promise.all(Array.from({ length: credits }, () => client.creator(slug)));
  expect(profiles.map((profile) => profile.credits.used)).toEqual(Array<number>(credits).fill(1));
}

describe('credits', () => {
  it('of a purchase 30 days ago are gone: 402; more credits count at once', async () => {
    const { id, key } = await customer();
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-30) });
    expect(await admin.balance(id)).toBe(0);
    expect(await api.profile(slug, key)).toMatchObject({
      status: 402,
      body: { credits_needed: 1, credits_remaining: 0 },
    });
    await adjust(id, 3);
    expect((await api.profile(slug, key)).body).toMatchObject({ credits_remaining: 2 });
  });

  it('are used oldest first by the time of purchase, whatever the order of entry, two lots for one call too', async () => {
    const { id, key } = await customer();
    const newer = await purchase(id, { pack: 'trial' });
    const oldest = await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-20) });
    const middle = await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-10) });
    await spend(key, 49);
    const reply = await api.search({ country: catalog.country, q: 'someone' }, key);
    expect(reply.body).toMatchObject({ credits_used: 3, credits_remaining: 98 });
    const { lots } = await admin.account(id);
    expect(lots.map((lot) => [lot.id, lot.remaining])).toEqual([
      [oldest.id, 0],
      [middle.id, 48],
      [newer.id, 50],
    ]);
    const entries = (await admin.ledger(id)).slice(0, 2);
    expect(new Set(entries.map(({ charge_id: charge }) => charge)).size).toBe(1);
    expect(new Map(entries.map(({ lot_id: lot, credits }) => [lot, credits]))).toEqual(
      new Map([
        [oldest.id, -1],
        [middle.id, -2],
      ]),
    );
  });

  it('used and remaining are in the body and the headers of every answer: to a search, to one without a match and to a profile', async () => {
    const { id, key } = await customer();
    await purchase(id, { pack: 'trial' });
    for (const [{ headers, body }, used, remaining] of [
      [await api.search({ country: catalog.country }, key), 2, 48],
      [await api.search({ country: randomWord() }, key), 0, 48],
      [await api.profile(slug, key), 1, 47],
    ] as const) {
      expect(body).toMatchObject({ credits_used: used, credits_remaining: remaining });
      expect(headers).toMatchObject({
        'x-credits-used': String(used),
        'x-credits-remaining': String(remaining),
      });
    }
  });
});

describe('the warning at 5 credits or fewer', () => {
  const warningOf = (reply: PublicReply<{ warning?: string }>) => ({
    field: reply.body.warning,
    header: reply.headers['x-credits-warning'],
  });

  it('is absent at 6; from 5 down to 0 a field and a header have the same sentence with the number left', async () => {
    const { key } = await createFundedAccount({ credits: 7 });
    expect(warningOf(await api.profile(slug, key))).toEqual({ field: undefined, header: undefined });
    for (const left of [5, 4, 3, 2, 1, 0]) {
      const { field, header } = warningOf(await api.profile(slug, key));
      expect(field).toMatch(new RegExp(`^\\S+ .*\\b${left}\\b`));
      expect(header).toBe(field);
    }
  });

  it('is only in the header of a 402, and absent with more than 5 credits left', async () => {
    const { key } = await createFundedAccount({ credits: 1 });
    const low = await api.search({ country: catalog.country }, key);
    expect(low.status).toBe(402);
    expect(low.headers['x-credits-warning']).toContain('1');
    expect(low.body).not.toHaveProperty('warning');
    const all = { q: 'someone', country: catalog.country, category: 'fitness', language: 'English' };
    const { key: richer } = await createFundedAccount({ credits: 6 });
    const refused = await api.search({ ...all, platform: 'youtube', min_followers: 1 }, richer);
    expect(refused).toMatchObject({ status: 402, body: { credits_needed: 7, credits_remaining: 6 } });
    expect(refused.headers).not.toHaveProperty('x-credits-warning');
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
    const movement = { type: 'charge', credits: -1, balance_after: 39, pack: 'adjustment' };
    expect(entries[2]).toEqual({ ...named, ...ofCall, ...movement, reference: null, reason: null });
    expect(entries[3]).toMatchObject({ charge_id: null, request_id: null, operation: null, state: null });
    await eventually(async () => {
      expect((await admin.ledger(id)).map(({ state }) => state)).toEqual([null, 'posted', 'posted', null]);
    }, 5_000);
  });
});
