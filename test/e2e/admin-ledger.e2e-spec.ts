import { eventually } from '@app/testing';
import { type AdminReply, admin, daysFromNow, type LedgerPage, succeeded } from '../support/admin-api.js';
import { adjust, createAccount, createFundedAccount, purchase } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { typesOf } from '../support/fields.js';
import { KeyPool } from '../support/key-pool.js';
import { api, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator], new KeyPool()));
afterAll(() => catalog.remove());

function postAdjustment(accountId: string, changes: object): Promise<AdminReply<{ id: string }>> {
  const body = { reason: 'slow answers last week', reference: randomWord(), ...changes };
  return admin.call('POST', `/accounts/${accountId}/adjustments`, body);
}

describe('POST /accounts/{id}/adjustments', () => {
  it('goodwill is a lot of its own that lives 30 days', async () => {
    const { id } = await createAccount();
    expect((await postAdjustment(id, { credits: 25 })).status).toBe(201);
    const { credits_remaining: balance, lots } = await admin.account(id);
    expect(balance).toBe(25);
    expect(lots).toMatchObject([{ credits: 25, remaining: 25, price_cents: 0 }]);
    const [lot] = lots;
    expect(Date.parse(lot?.expires_at ?? '') - Date.parse(lot?.purchased_at ?? '')).toBe(30 * 86_400_000);
  });

  it('a correction takes from the oldest lot first', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    await purchase(id, { pack: 'trial', purchased_at: daysFromNow(-2) });
    expect((await postAdjustment(id, { credits: -60 })).status).toBe(201);
    expect((await admin.account(id)).lots.map(({ remaining }) => remaining)).toEqual([0, 40]);
  });

  it('409 for a correction below 0, which takes nothing', async () => {
    const { id } = await createFundedAccount({ credits: 10 });
    expect((await postAdjustment(id, { credits: -11 })).status).toBe(409);
    expect(await admin.balance(id)).toBe(10);
    expect((await postAdjustment(id, { credits: -10 })).status).toBe(201);
    expect(await admin.balance(id)).toBe(0);
  });

  it('is idempotent by reference; 409 with other content', async () => {
    const { id } = await createAccount();
    const same = { credits: 5, reference: 'ticket 7' };
    const replies = await Promise.all(Array.from({ length: 20 }, () => postAdjustment(id, same)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await admin.balance(id)).toBe(5);
    expect((await postAdjustment(id, { credits: 6, reference: 'ticket 7' })).status).toBe(409);
  });

  it.each([
    { credits: 0 },
    { credits: 1.5 },
    { credits: '5' },
    { credits: 5, reason: '' },
    { credits: 5, reference: '' },
  ])('400 for %j', async (changes) => {
    const { id } = await createAccount();
    expect((await postAdjustment(id, changes)).status).toBe(400);
  });
});

describe('POST and DELETE /accounts/{id}/agreement', () => {
  const terms = { credits: 12_000, price_cents: 216_000 };
  const agreement = (method: string, id: string, body?: object) =>
    admin.call<{ id: string; ended_at: string | null }>(method, `/accounts/${id}/agreement`, body);

  it('grants the first month at once, and only once', async () => {
    const { id } = await createAccount();
    const started = await agreement('POST', id, terms);
    expect(started).toMatchObject({ status: 201, body: { ...terms, ended_at: null } });
    await eventually(async () => expect(await admin.balance(id)).toBe(12_000), 15_000);
    const { lots } = await admin.account(id);
    expect(lots).toMatchObject([{ pack: 'enterprise', credits: 12_000, price_cents: 216_000 }]);
  }, 20_000);

  it('starting later grants nothing yet', async () => {
    const { id } = await createAccount();
    const startsAt = daysFromNow(5);
    const started = await agreement('POST', id, { ...terms, starts_at: startsAt });
    expect(started.status).toBe(201);
    expect(await admin.balance(id)).toBe(0);
  });

  it('409 while one is running; after its end another may start, and what was granted stays', async () => {
    const { id } = await createAccount();
    await agreement('POST', id, { ...terms, starts_at: daysFromNow(5) });
    expect((await agreement('POST', id, terms)).status).toBe(409);
    const ended = await agreement('DELETE', id);
    expect(ended.status).toBe(200);
    expect(ended.body.ended_at).toMatch(/Z$/);
    expect((await agreement('DELETE', id)).status).toBe(404);
    expect((await agreement('POST', id, { ...terms, starts_at: daysFromNow(6) })).status).toBe(201);
  });

  it.each([
    ['fewer than 10,000 credits', { credits: 9_999, price_cents: 999_900 }],
    ['less than 18 cents a credit', { credits: 10_000, price_cents: 179_999 }],
    ['no price', { credits: 10_000 }],
    ['an invalid start', { ...terms, starts_at: 'tomorrow' }],
  ])('400 for %s', async (_what, body) => {
    const { id } = await createAccount();
    expect((await agreement('POST', id, body)).status).toBe(400);
  });
});

describe('GET /accounts/{id}/ledger', () => {
  it('has one signed entry for each movement, newest first, with all the fields', async () => {
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
  });

  it('a purchase is an entry, and so is an expired lot', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    expect((await admin.ledger(id)).map(({ type, credits }) => [type, credits])).toEqual([['purchase', 50]]);
  });

  it('names the reference of a purchase, and the reference and reason of an adjustment, so that payments can be reconciled', async () => {
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial', reference: 'payment 42' });
    await postAdjustment(id, { credits: 5, reason: 'slow, twice', reference: 'ticket 7' });
    await postAdjustment(id, { credits: -55, reason: 'paid back', reference: 'refund 42' });
    const named = (await admin.ledger(id)).map(({ type, reference, reason }) => [type, reference, reason]);
    expect(named).toEqual([
      ['adjustment', 'refund 42', 'paid back'],
      ['adjustment', 'refund 42', 'paid back'],
      ['adjustment', 'ticket 7', 'slow, twice'],
      ['purchase', 'payment 42', null],
    ]);
    const { lots } = await admin.account(id);
    expect(lots.map(({ reference }) => reference)).toEqual(['payment 42', 'ticket 7']);
    const response = await fetch(`${environment.adminUrl}/admin/v1/accounts/${id}/ledger.csv`, {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    });
    expect(await response.text()).toContain(',ticket 7,"slow, twice"\r\n');
  });

  it('answered calls are posted', async () => {
    const { id, key } = await createFundedAccount();
    await api.profile(slug, key);
    await eventually(async () => expect((await admin.ledger(id))[0]?.state).toBe('posted'), 5_000);
  });

  it('comes in pages: every entry once, whatever is added meanwhile', async () => {
    const { id, key } = await createFundedAccount();
    for (let call = 0; call < 7; call += 1) await api.profile(slug, key);
    const whole = (await admin.ledger(id)).map((entry) => entry.id);
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/accounts/${id}/ledger?limit=3${query}`;
      const page: LedgerPage = succeeded(await admin.call<LedgerPage>('GET', path));
      expect(page.entries.length).toBeLessThanOrEqual(3);
      paged.push(...page.entries.map((entry) => entry.id));
      cursor = page.next_cursor;
      if (paged.length === 3) await api.profile(slug, key);
    }
    expect(paged).toEqual(whole);
  });

  it.each(['limit=0', 'limit=1000', 'cursor=nonsense', 'page=2'])('400 for ?%s', async (query) => {
    const { id } = await createAccount();
    expect((await admin.call('GET', `/accounts/${id}/ledger?${query}`)).status).toBe(400);
  });
});

describe('GET /accounts/{id}/ledger.csv', () => {
  const download = (id: string): Promise<Response> =>
    fetch(`${environment.adminUrl}/admin/v1/accounts/${id}/ledger.csv`, {
      headers: { authorization: `Bearer ${environment.adminToken}` },
    });

  it('has every entry, each charge with its request id, operation, key and lot', async () => {
    const { id, key } = await createFundedAccount();
    await api.profile(slug, key);
    const entries = await admin.ledger(id);
    const response = await download(id);
    expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
    const [header, ...lines] = (await response.text()).trimEnd().split('\r\n');
    expect(header).toBe(
      'id,at,type,credits,lot_id,charge_id,request_id,operation,key_id,state,reference,reason',
    );
    const fields = lines.map((line) => line.split(',').slice(0, 9));
    const expected = entries.map(
      ({ id: entry, at, type, credits, lot_id, charge_id, request_id, operation, key_id }) =>
        [entry, at, type, credits, lot_id, charge_id, request_id, operation, key_id].map((field) =>
          String(field ?? ''),
        ),
    );
    expect(fields).toEqual(expected);
    expect(fields[0]).toContain('profile');
  });

  it('404 for an unknown account', async () => {
    expect((await download('00000000-0000-7000-8000-000000000000')).status).toBe(404);
  });
});

describe('GET /accounts/{id}/usage', () => {
  it('counts calls and credits per day, key and operation; free searches are calls, refused ones not', async () => {
    const { id, keys } = await createFundedAccount({ keys: 2 });
    const [first, second] = keys;
    await api.profile(slug, first?.key ?? '');
    await api.profile(slug, first?.key ?? '');
    await api.search({ country: catalog.country, q: 'someone' }, first?.key ?? '');
    await api.search({ q: randomWord() }, second?.key ?? '');
    await api.search({ limit: 0 }, second?.key ?? '');
    await api.profile(`${slug}-nobody`, second?.key ?? '');
    await eventually(async () => {
      const rows = (await admin.usage(id)).map((row) => [row.key_id, row.operation, row.calls, row.credits]);
      expect(new Set(rows)).toEqual(
        new Set([
          [first?.id, 'profile', 2, 2],
          [first?.id, 'search', 1, 3],
          [second?.id, 'search', 1, 0],
        ]),
      );
    }, 3_000);
  });

  it.each(['from=yesterday', 'from=2024-02-30', 'from=2024-02-02&to=2024-02-01', 'day=1'])(
    '400 for ?%s',
    async (query) => {
      const { id } = await createAccount();
      expect((await admin.call('GET', `/accounts/${id}/usage?${query}`)).status).toBe(400);
    },
  );
});

describe('GET /ledger/audit', () => {
  it('is ok, and counts accounts, lots and entries', async () => {
    const before = await admin.audit();
    const { id } = await createAccount();
    await purchase(id, { pack: 'trial' });
    const after = await admin.audit();
    expect(typesOf(after)).toEqual({
      ok: 'boolean',
      accounts: 'integer',
      lots: 'integer',
      entries: 'integer',
      discrepancies: 'array',
    });
    expect(after).toMatchObject({ ok: true, discrepancies: [] });
    for (const field of ['accounts', 'lots', 'entries'] as const) {
      expect(after[field]).toBeGreaterThan(before[field]);
    }
  });
});
