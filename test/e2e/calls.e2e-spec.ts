import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { admin } from '../support/admin-api.js';
import { callPages, callThatStaysPending, callWithId, endOfCall, nextPath } from '../support/calls.js';
import { environment } from '../support/environment.js';
import { api, type CallBody, paths } from '../support/public-api.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

/** So many creators with such long addresses that the kernel does not buffer some answers of a search for all of them. */
const creatorsOfSearch = 100;
const urlLength = 2_000;
const platforms = ['youtube', 'instagram', 'tiktok', 'facebook', 'x'];

const catalog = SuiteCatalog.forSuite();
const records = Array.from({ length: creatorsOfSearch }, (_, number) =>
  catalog.record(`creator-${number}`, {
    platforms: platforms.map((platform) =>
      catalog.account({ platform, url: `https://www.${platform}.com/${number}?`.padEnd(urlLength, 'a') }),
    ),
  }),
);
const slug = records[0]?.slug ?? '';

beforeAll(() => catalog.importVisible(records));

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
      total: creatorsOfSearch,
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

  it('without a match: posted, free, `no_match`', async () => {
    const { key } = await createFundedAccount();
    const id = await callWithId(noMatch(), key);
    const shown = await endOfCall(id, key);
    expect(shown).toMatchObject({ ...paid, filters: ['country'], total: 0, credits: 0, reason: 'no_match' });
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

  it('whose answer is on its way: pending; once the client has left it, `abandoned`: voided five times a day, then paid', async () => {
    const account = await createFundedAccount({ keys: 5 });
    const [caller = '', another = '', ...watchers] = account.keys.map(({ key }) => key);
    const left: CallBody[] = [];
    for (const key of [caller, another].flatMap((one) => Array<string>(5).fill(one))) {
      const { client, stuck } = await beginReading(key, watchers);
      expect(stuck).toMatchObject({ credits: 3, credits_returned: 0, state: 'pending', reason: null });
      client.resetAndDestroy();
      left.push(await endOfCall(stuck.request_id, account.key));
    }
    const abandoned = { reason: 'abandoned', total: creatorsOfSearch };
    const free = { ...abandoned, state: 'voided', credits: 0, credits_returned: 3 };
    const charged = { ...abandoned, state: 'posted', credits: 3, credits_returned: 0 };
    const expected = [...Array<object>(5).fill(free), ...Array<object>(5).fill(charged)];
    expect(left).toEqual(expected.map((one) => expect.objectContaining(one) as unknown));
    const { calls } = (await api.calls(account.key, '?limit=100')).body;
    const costs = calls.reduce((sum, { credits }) => sum + credits, 0);
    expect(costs).toBe(1_000 - (await admin.balance(account.id)));
  }, 120_000);

  /** A client that asks for more than it reads: the answer that it has begun to get, and that stays in the middle. */
  async function beginReading(
    key: string,
    watchers: readonly string[],
  ): Promise<{ client: Socket; stuck: CallBody }> {
    const { hostname, port } = new URL(environment.publicUrl);
    const client = connect(Number(port), hostname).pause();
    await once(client, 'connect');
    const text = (): string =>
      `GET ${search.replace('limit=1', 'limit=100')} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `X-Request-Id: ${randomUUID()}\r\n\r\n`;
    client.write(Array.from({ length: 30 }, text).join(''));
    return { client, stuck: await callThatStaysPending(watchers) };
  }

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
  it('is found, percent-encoded or not', async () => {
    const { key } = await createFundedAccount();
    for (const label of ['a', 'A1._:-z..', 'calls:2026-01-31T12:00:00.000Z', 'x'.repeat(128)]) {
      const { headers } = await api.get(noMatch(), key, { headers: { 'x-request-id': label } });
      expect(headers['x-request-id']).toBe(label);
      const encoded = [...Buffer.from(label)]
        .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
        .join('');
      for (const written of [label, encodeURIComponent(label), encoded]) {
        expect((await api.calls(key, `/${written}`)).body.calls).toMatchObject([{ request_id: label }]);
      }
    }
  });

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

  it.each(['é✓', '\0', 'x'.repeat(201)])('that no call can have finds nothing: %j', async (label) => {
    const { key } = await createFundedAccount();
    const reply = await api.callsOf(label, key);
    expect([reply.status, reply.body]).toEqual([200, { calls: [] }]);
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

  it('has the calls behind each row of GET /usage, which add up to it', async () => {
    const account = await createFundedAccount({ keys: 2 });
    const [one = '', two = ''] = account.keys.map(({ key }) => key);
    const ids = [
      await callWithId(search, one),
      await callWithId(noMatch(), one),
      await callWithId(paths.profile(slug), one),
      await callWithId(paths.profile(slug), two),
    ];
    for (const id of ids) await endOfCall(id, one);
    const { usage } = (await api.usage(two)).body;
    expect(usage).toHaveLength(3);
    for (const { day, key_id, operation, calls, credits } of usage) {
      const query = `?from=${day}&to=${day}&key_id=${key_id}&operation=${operation}&state=posted`;
      const behind = (await api.calls(two, query)).body.calls;
      expect([behind.length, behind.reduce((sum, each) => sum + each.credits, 0)]).toEqual([calls, credits]);
      expect(behind.every(({ key }) => key.id === key_id)).toBe(true);
    }
    expect((await api.calls(two, '?from=2026-01-01&to=2026-01-31')).body).toEqual({ calls: [] });
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

  it.each([
    ['?limit=0&state=refused&operation=balance&key_id=1', ['key_id', 'limit', 'operation', 'state']],
    ['?cursor=nonsense', ['cursor']],
    ['/some-call?from=2026-01-01', ['from']],
  ])('400 for %s, naming what is wrong', async (query, names) => {
    const { key } = await createFundedAccount();
    const reply = await api.calls(key, query);
    expect([reply.status, Object.keys(reply.body.details).sort()]).toEqual([400, names]);
    for (const sentences of Object.values(reply.body.details)) {
      expect(sentences.join()).toMatch(/must|the parameters are/);
    }
  });

  it('404 for a path below it', async () => {
    const { key } = await createFundedAccount();
    expect((await api.get(`${paths.calls}/a/b`, key)).status).toBe(404);
  });
});
