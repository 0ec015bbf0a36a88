import { randomUUID } from 'node:crypto';
import { eventually } from '@app/testing';
import { createFundedAccount, purchase } from '../support/accounts.js';
import { admin, succeeded } from '../support/admin-api.js';
import {
  api,
  paths,
  type CreditFields,
  type ProfileBody,
  type PublicReply,
  type SearchBody,
} from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const [creator, other] = [catalog.record('someone'), catalog.record('other')];
const profile = paths.profile(creator.slug);
const search = `${paths.search}?country=${encodeURIComponent(catalog.country)}`;
const decidedWithinMs = 5_000;

beforeAll(() => catalog.importVisible([creator, other]));
afterAll(() => catalog.remove());

function call<Body = CreditFields>(
  path: string,
  key: string,
  idempotencyKey: string,
): Promise<PublicReply<Body>> {
  return api.get<Body>(path, key, { headers: { 'idempotency-key': idempotencyKey } });
}

/** A charge is posted a moment after its answer; a repetition waits until then. */
function repeat<Body = CreditFields>(
  ...[path, key, idempotencyKey]: Parameters<typeof call>
): Promise<PublicReply<Body>> {
  return eventually(async () => {
    const reply = await call<Body>(path, key, idempotencyKey);
    if (reply.status !== 409) return reply;
    expect(reply.headers['retry-after']).toBe('1');
    throw new Error(reply.body.error);
  }, decidedWithinMs);
}

describe('a call that is repeated with the same Idempotency-Key', () => {
  it.each([
    ['profile', profile, 1],
    ['search', search, 2],
  ])('%s: is paid once, says so, and counts as a call without credits', async (operation, path, price) => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10 });
    const first = await call(path, key, 'order-1');
    expect(first).toMatchObject({
      status: 200,
      body: { credits_used: price, credits_remaining: 10 - price },
    });
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    for (let time = 0; time < 3; time++) {
      const again = await repeat(path, key, 'order-1');
      expect(again).toMatchObject({ status: 200, body: { credits_used: 0, credits_remaining: 10 - price } });
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.headers['x-credits-used']).toBe('0');
    }
    expect(await admin.balance(id)).toBe(10 - price);
    expect(await admin.usage(id)).toMatchObject([{ key_id: keyId, operation, calls: 4, credits: price }]);
    expect((await admin.ledger(id)).filter(({ type }) => type === 'charge')).toHaveLength(1);
  });

  it('has the data of now', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    await call(profile, key, 'order-1');
    const tagline = `changed ${randomUUID()}`;
    succeeded(await admin.call('PUT', `/creators/${creator.slug}`, { ...creator, tagline }));
    await eventually(async () => {
      expect(await repeat<ProfileBody>(profile, key, 'order-1')).toMatchObject({
        body: { tagline, credits_used: 0 },
      });
    }, decidedWithinMs);
  });

  it('is free although the first call took the last credit', async () => {
    const { key } = await createFundedAccount({ credits: 1 });
    await call(profile, key, 'order-1');
    expect(await repeat(profile, key, 'order-1')).toMatchObject({
      status: 200,
      body: { credits_used: 0, credits_remaining: 0, warning: expect.any(String) as string },
    });
    expect((await call(profile, key, 'order-2')).status).toBe(402);
  });

  it('is the same call however its URL is written', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    await call(`${search}&limit=50&q=creator`, key, 'order-1');
    const again = await repeat<SearchBody>(`${search.replaceAll('%20', '+')}&q=creator+`, key, 'order-1');
    expect(again).toMatchObject({ status: 200, body: { total: 2, credits_used: 0 } });
  });

  it('is paid when the first one was not: it was refused, or nobody matched', async () => {
    const { id, key } = await createFundedAccount({ credits: 0 });
    expect((await call(profile, key, 'order-1')).status).toBe(402);
    await purchase(id, { pack: 'trial' });
    expect(await call(profile, key, 'order-1')).toMatchObject({ status: 200, body: { credits_used: 1 } });

    const country = `${catalog.country} ${randomUUID()}`;
    const path = `${paths.search}?country=${encodeURIComponent(country)}`;
    expect(await call(path, key, 'order-2')).toMatchObject({
      status: 200,
      body: { total: 0, credits_used: 0 },
    });
    await catalog.import([catalog.record(randomUUID(), { country })]);
    await eventually(async () => {
      const found = await repeat<SearchBody>(path, key, 'order-2');
      expect(found.body.total).toBe(1);
      expect(found.body.credits_used).toBe(2);
    }, decidedWithinMs);
  });

  it('of another key of the account, or of another account, is paid', async () => {
    const [one, stranger] = [
      await createFundedAccount({ credits: 10, keys: 2 }),
      await createFundedAccount(),
    ];
    for (const { key } of [...one.keys, ...stranger.keys]) {
      expect(await call(profile, key, 'order-1')).toMatchObject({ body: { credits_used: 1 } });
    }
  });

  it('of a deleted key is a 401', async () => {
    const { id, key, keyId } = await createFundedAccount({ credits: 10 });
    await call(profile, key, 'order-1');
    await admin.call('DELETE', `/accounts/${id}/keys/${keyId}`);
    await eventually(
      async () => expect((await call(profile, key, 'order-1')).status).toBe(401),
      decidedWithinMs,
    );
  });

  it('many times at once is paid once: the others are told to wait, or repeat it', async () => {
    const { id, key } = await createFundedAccount({ credits: 100 });
    const replies = await Promise.all(Array.from({ length: 30 }, () => call(profile, key, 'order-1')));
    const paid = replies.filter(({ body }) => body.credits_used === 1);
    const free = replies.filter(({ body }) => body.credits_used === 0);
    const waiting = replies.filter(({ status }) => status === 409);
    expect([paid.length, free.length + waiting.length]).toEqual([1, 29]);
    await repeat(profile, key, 'order-1');
    expect(await admin.balance(id)).toBe(99);
  });
});

describe('another call with the Idempotency-Key of a paid one', () => {
  it.each([
    ['another creator', paths.profile(other.slug)],
    ['another operation', search],
    ['another filter', `${search}&q=creator`],
    ['another page size', `${search}&limit=1`],
  ])('%s: 422, and nothing is taken', async (_what, path) => {
    const { id, key } = await createFundedAccount({ credits: 10 });
    await call(path === search ? profile : search, key, 'order-1');
    const before = await admin.balance(id);
    const reply = await call(path, key, 'order-1');
    expect([reply.status, Object.keys(reply.body)]).toEqual([422, ['error']]);
    expect(reply.body.error).toContain('another call');
    expect(await admin.balance(id)).toBe(before);
  });

  it('another page: 422, and the first page is free again', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    const first = await call(`${search}&limit=1`, key, 'order-1');
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? [];
    const { pathname, search: query } = new URL(next, 'http://relative');
    expect((await call(pathname + query, key, 'order-1')).status).toBe(422);
    expect(await repeat(`${search}&limit=1`, key, 'order-1')).toMatchObject({ body: { credits_used: 0 } });
    expect(await call(pathname + query, key, 'order-2')).toMatchObject({
      status: 200,
      body: { credits_used: 2 },
    });
  });

  it('is a problem with its sentence for who asks for problem details', async () => {
    const { key } = await createFundedAccount({ credits: 10 });
    await call(search, key, 'order-1');
    const headers = { 'idempotency-key': 'order-1', accept: 'application/problem+json' };
    const reply = await api.get(profile, key, { headers });
    expect(reply.headers['content-type']).toContain('application/problem+json');
    expect(reply).toMatchObject({ status: 422, body: { status: 422 } });
  });
});
