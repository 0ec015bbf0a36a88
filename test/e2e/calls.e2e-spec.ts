import { randomUUID } from 'node:crypto';
import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { callPages, callWithId, endOfCall, nextPath } from '../support/calls.js';
import { api, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('one', { platforms: [catalog.account({ platform: 'x' })] });
const { slug } = creator;

beforeAll(() => catalog.importVisible([creator]));

/** A search without a match. */
const noMatch = (): string => `${paths.search}?country=${randomWord()}`;
const search = `${paths.search}?country=${encodeURIComponent(catalog.country)}&platform=x&limit=1`;

const shownKey = ({ keys: [key] }: TestAccount) => ({ id: key?.id, name: key?.name, prefix: key?.prefix });
const paid = { credits_returned: 0, state: 'posted', reason: null, repeat_of: null };

describe('a call, as GET /calls/{request_id} shows it,', () => {
  it('that was paid: posted, at the price in its answer, with the filters and the total', async () => {
    const account = await createFundedAccount();
    const ofSearch = await callWithId(search, account.key);
    const ofProfile = await callWithId(paths.profile(slug), account.key);
    const key = shownKey(account);
    const shown = await endOfCall(ofSearch, account.key);
    expect(shown).toEqual({
      ...paid,
      request_id: ofSearch,
      at: shown.at,
      key,
      operation: 'search',
      filters: ['country', 'platform'],
      total: 1,
      credits: 3,
    });
    expect(new Date(shown.at).toISOString()).toBe(shown.at);
    expect(Math.abs(Date.parse(shown.at) - Date.now())).toBeLessThan(60_000);
    expect(await endOfCall(ofProfile, account.key)).toMatchObject({
      ...paid,
      key,
      operation: 'profile',
      filters: null,
      total: null,
      credits: 1,
    });
  });

  it('that repeats a paid one: posted, free, `repeated`, and which call it repeats', async () => {
    const { key } = await createFundedAccount();
    const sameCall = { 'idempotency-key': randomUUID() };
    const first = await callWithId(search, key, randomUUID(), sameCall);
    expect(await endOfCall(first, key)).toMatchObject({ ...paid, credits: 3 });
    const again = await callWithId(search, key, randomUUID(), sameCall);
    expect(await endOfCall(again, key)).toMatchObject({
      ...paid,
      credits: 0,
      reason: 'repeated',
      repeat_of: first,
    });
  });

  it('that was refused: none, because nothing was taken', async () => {
    const { key } = await createFundedAccount({ credits: 1 });
    const refused = [
      await callWithId(search, key),
      await callWithId(paths.profile('nobody-at-all'), key),
      await callWithId(`${paths.search}?limt=1`, key),
    ];
    for (const id of [...refused, randomUUID()]) {
      const reply = await api.callsOf(id, key);
      expect([reply.status, reply.body]).toEqual([200, { calls: [] }]);
      expect(reply.headers.link).toBeUndefined();
    }
  });
});

describe('the request id of a call', () => {
  it.each([
    ['that is empty', ''],
    ['with a space', 'two words'],
    ['with markup', '<script>alert(1)</script>'],
    ['that is a path', '../calls'],
    ['of 129 characters', 'x'.repeat(129)],
    ['that begins with a hyphen', '-a'],
    ['that is a percent sign', '%'],
  ])('%s is replaced and finds nothing; the id in the answer finds the call', async (_what, label) => {
    const { key } = await createFundedAccount();
    const { headers } = await api.get(noMatch(), key, { headers: { 'x-request-id': label } });
    const requestId = String(headers['x-request-id']);
    expect(requestId).toMatch(/^[\w-]{8,64}$/);
    expect((await api.callsOf(requestId, key)).body.calls).toHaveLength(1);
    if (label !== '') expect((await api.callsOf(label, key)).body).toEqual({ calls: [] });
  });
});

describe('GET /calls', () => {
  it('has every call of the account, newest first, in pages that the Link header connects; free', async () => {
    const account = await createFundedAccount({ keys: 2 });
    const ids: string[] = [];
    for (let number = 0; number < 7; number += 1) {
      const { key = '' } = account.keys[number % 2] ?? {};
      ids.unshift(await callWithId(number % 3 === 0 ? search : paths.profile(slug), key));
    }
    const spent = await spentBy(account.id, async () => {
      const pages = await callPages('?limit=3', account.key);
      expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
      expect(pages.flat().map(({ request_id }) => request_id)).toEqual(ids);
      const whole = await api.calls(account.keys[1]?.key ?? '');
      expect(Object.keys(whole.body)).toEqual(['calls']);
      expect(whole.headers.link).toBeUndefined();
      expect(whole.headers['ratelimit-policy']).toBe('"account";q=60;w=60');
    });
    expect(spent).toBe(0);
  });

  it('shows nothing of another account, whatever id of it is given', async () => {
    const owner = await createFundedAccount();
    const stranger = await createFundedAccount();
    const label = `of:${randomWord()}`;
    for (let number = 0; number < 3; number += 1) await callWithId(paths.profile(slug), owner.key, label);
    const [first] = (await api.calls(owner.key, '?limit=1')).body.calls;
    const charges = (await admin.ledger(owner.id)).flatMap(({ charge_id }) => charge_id ?? []);
    const link = nextPath(await api.calls(owner.key, '?limit=1')) ?? '';
    const linkOfLabel = nextPath(await api.calls(owner.key, `/${label}?limit=1`)) ?? '';
    const none = { calls: [] };
    for (const id of [label, owner.id, owner.keyId, first?.key.prefix ?? '', ...charges]) {
      expect((await api.callsOf(id, stranger.key)).body).toEqual(none);
    }
    for (const query of ['', `?key_id=${owner.keyId}`]) {
      expect((await api.calls(stranger.key, query)).body).toEqual(none);
    }
    for (const path of [link, linkOfLabel]) {
      expect((await api.get(path, owner.key)).body).not.toEqual(none);
      expect((await api.get(path, stranger.key)).body).toEqual(none);
    }
    const named = await api.calls(stranger.key, `?account_id=${owner.id}`);
    expect([named.status, Object.keys(named.body.details)]).toEqual([400, ['account_id']]);
  });
});
