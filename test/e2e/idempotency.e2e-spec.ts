import { randomUUID } from 'node:crypto';
import { eventually } from '#testing';
import { createFundedAccount, purchase, spentBy } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import { nextPath } from '../support/calls.js';
import {
  api,
  type CreditFields,
  paths,
  type ProfileBody,
  type PublicReply,
  type SearchBody,
} from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const [creator, other] = [
  catalog.record('someone', { tagline: 'Travel and food. '.repeat(10), name: 'n'.repeat(200) }),
  catalog.record('other'),
];
const profile = paths.profile(creator.slug);
const search = `${paths.search}?country=${encodeURIComponent(catalog.country)}`;
const postedWithinMs = 5_000;

beforeAll(() => catalog.importVisible([creator, other]));

/** Changes the tagline; returns the new one. */
async function changeCreator(): Promise<string> {
  const tagline = `changed ${randomUUID()}`;
  succeeded(await admin.call('PUT', `/creators/${creator.slug}`, { ...creator, tagline }));
  return tagline;
}

type Call = [path: string, key: string, idempotencyKey: string];

function call<Body = CreditFields>(...[path, key, idempotencyKey]: Call): Promise<PublicReply<Body>> {
  return api.get<Body>(path, key, { headers: { 'idempotency-key': idempotencyKey } });
}

/** A charge is posted a moment after its answer; a repetition waits until then. */
function repeat<Body = CreditFields>(...given: Call): Promise<PublicReply<Body>> {
  return eventually(async () => {
    const reply = await call<Body>(...given);
    if (reply.status !== 409) return reply;
    expect(reply.headers['retry-after']).toBe('1');
    throw new Error(reply.body.error);
  }, postedWithinMs);
}

// By the tools of MCP: apps/gateway/src/mcp/mcp.int-spec.ts; accounts and keys: apps/billing/src/ledger/idempotency/idempotency.int-spec.ts.
describe('a call that is repeated with the same Idempotency-Key', () => {
  it.each([
    ['profile', profile, 1],
    ['search', search, 2],
  ])(
    '%s: is paid once, says so, and counts as a call without credits; the sixth repetition is paid',
    async (operation, path, price) => {
      const { id, key, keyId } = await createFundedAccount({ credits: 10 });
      const first = await call(path, key, 'order-1');
      const left = { credits_remaining: 10 - price };
      expect(first).toMatchObject({ status: 200, body: { credits_used: price, ...left } });
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      for (let time = 0; time < 5; time++) {
        expect(await repeat(path, key, 'order-1')).toMatchObject({
          status: 200,
          body: { credits_used: 0, ...left },
          headers: { 'idempotent-replayed': 'true', 'x-credits-used': '0' },
        });
      }
      expect(await admin.balance(id)).toBe(10 - price);
      expect(await admin.usage(id)).toMatchObject([{ key_id: keyId, operation, calls: 6, credits: price }]);
      expect((await admin.ledger(id)).filter(({ type }) => type === 'charge')).toHaveLength(1);

      const sixth = await call(path, key, 'order-1');
      expect(sixth).toMatchObject({ status: 200, body: { credits_used: price } });
      expect(sixth.headers['idempotent-replayed']).toBeUndefined();
      expect(await repeat(path, key, 'order-1')).toMatchObject({ body: { credits_used: 0 } });
      expect(await admin.balance(id)).toBe(10 - 2 * price);
    },
  );
});

describe('another call with the Idempotency-Key of a paid one', () => {
  it.each([
    ['another creator', profile, paths.profile(other.slug)],
    ['another operation', profile, search],
    ['another page size', search, `${search}&limit=1`],
  ])('%s: 422, and nothing is taken', async (_what, paid, path) => {
    const { id, key } = await createFundedAccount({ credits: 10 });
    await call(paid, key, 'order-1');
    const spent = await spentBy(id, async () => {
      const reply = await call(path, key, 'order-1');
      expect([reply.status, Object.keys(reply.body)]).toEqual([422, ['error']]);
      expect(reply.body.error).toContain('another call');
    });
    expect(spent).toBe(0);
  });
});

/** Reads the profile of a client that has it with this ETag. */
function read(key: string, etag?: string, headers: Readonly<Record<string, string>> = {}) {
  const all = etag === undefined ? headers : { ...headers, 'if-none-match': etag };
  return api.get<ProfileBody>(profile, key, { headers: all });
}

const etagOf = async (key: string): Promise<string> => (await read(key)).headers.etag ?? '';

describe('a profile that the client already has', () => {
  it('is a 304 without a body for nothing, on every gateway, and counts as a call', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10 });
    const etag = await etagOf(key);
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    const headers = { 'accept-encoding': 'gzip, br' };
    const spent = await spentBy(id, async () => {
      for (let time = 0; time < 10; time++) {
        expect(await read(key, etag, time % 2 === 0 ? {} : headers)).toMatchObject({
          status: 304,
          text: '',
          headers: {
            etag,
            'x-credits-used': '0',
            'x-credits-remaining': '9',
            'cache-control': 'private, no-cache',
          },
        });
      }
    });
    expect(spent).toBe(0);
    await eventually(async () => {
      expect(await admin.usage(id)).toMatchObject([
        { key_id: keyId, operation: 'profile', calls: 11, credits: 1 },
      ]);
    });
  });

  it('is a 200 and paid once it has changed, and free again with the new ETag', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const etag = await etagOf(key);
    const tagline = await changeCreator();
    const changed = await eventually(async () => {
      const reply = await read(key, etag);
      expect(reply).toMatchObject({ status: 200, body: { tagline, credits_used: 1 } });
      return reply;
    });
    expect(changed.headers.etag).not.toBe(etag);
    expect((await read(key, `${etag}, ${changed.headers.etag}`)).status).toBe(304);
    expect(await read(key, '*')).toMatchObject({ status: 200, body: { credits_used: 1 } });
  });
});

describe('a search that the client already has', () => {
  const asked = (key: string, path: string, etag: string): Promise<PublicReply<SearchBody>> =>
    api.get<SearchBody>(path, key, { headers: { 'if-none-match': etag } });

  it('is a 304 for nothing on each page, with a balance of 0 too, and paid once a creator was added', async () => {
    const own = new SuiteCatalog();
    const path = `${paths.search}?country=${encodeURIComponent(own.country)}&limit=1`;
    await own.importVisible([own.record('one'), own.record('two')]);
    const { id, key } = await createFundedAccount({ credits: 4 });
    const first = await asked(key, path, '*');
    const second = await asked(key, nextPath(first) ?? '', '*');
    expect([first.body, second.body]).toMatchObject([{ credits_used: 2 }, { credits_remaining: 0 }]);

    const tags = `${first.headers.etag}, ${second.headers.etag}`;
    const again = await asked(key, path, tags);
    const last = await asked(key, nextPath(again) ?? '', tags);
    for (const reply of [again, last]) {
      expect(reply).toMatchObject({ status: 304, text: '', headers: { 'x-credits-used': '0' } });
    }
    expect(nextPath(last)).toBeUndefined();
    await eventually(async () => {
      const { calls } = (await api.callsOf(String(again.headers['x-request-id']), key)).body;
      expect(calls).toMatchObject([{ state: 'posted', reason: 'unchanged', credits: 0, total: 2 }]);
    });

    await own.import([own.record('three')]);
    await eventually(async () => expect((await asked(key, path, tags)).status).toBe(402));
    await purchase(id, { pack: 'trial' });
    await eventually(async () => {
      expect(await asked(key, path, tags)).toMatchObject({
        status: 200,
        body: { total: 3, credits_used: 2 },
      });
    });
    await own.remove();
  });
});
