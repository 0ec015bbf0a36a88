import { RateLimiter } from '#http';
import {
  authenticateKey,
  charge,
  getBalance,
  getProfile,
  keyLimit,
  type KeyMode,
  searchCreators,
  type Settlement,
  WithBytes,
} from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { gate, until } from '#testing';
import { goodKey, metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';

const freeCallsMax = 600;

const api = PublicApiFixture.forSuite();

const charges = (): number => api.services.payloadsOf(charge).length;

describe('calls that cost nothing', () => {
  /** A key of an account of its own, which has made so many free calls at another gateway. */
  async function keyOfAccount(calls: number, mode: KeyMode = 'live'): Promise<string> {
    const key = generateApiKey(mode);
    const account_id = `account of ${hashApiKey(key)}`;
    api.scriptSuccess();
    api.services.on(authenticateKey, ({ key_hash }) => ({
      key: key_hash === hashApiKey(key) ? { ...goodKey, account_id, mode } : null,
    }));
    const limit = { calls: freeCallsMax, seconds: 60 };
    const scope = mode === 'test' ? `test ${account_id}` : account_id;
    const limiter = api.provider(RateLimiter);
    await Promise.all(Array.from({ length: calls }, () => limiter.admit('free', scope, limit)));
    return key;
  }

  const get = (key: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    api.get(path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  const read = (key: string, headers?: Record<string, string>) => get(key, '/creators/luna', headers);
  const unchangedOf = async (key: string) => ({
    'if-none-match': (await read(key)).headers.get('etag') ?? '',
  });

  it('are limited to 600 a minute of an account, over all gateways; paid calls go on', async () => {
    const key = await keyOfAccount(freeCallsMax - 20);
    const unchanged = await unchangedOf(key);
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(key, unchanged)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([...Array<number>(20).fill(304), ...Array<number>(30).fill(429)]);
    // Each says how many free calls are left.
    const shown = answers.map(({ headers }) => headers.get('ratelimit')?.replace(/;t=\d+$/, ''));
    const left = Array.from({ length: 20 }, (_, index) => `"free";r=${index}`);
    expect(new Set(shown)).toEqual(new Set(left));
    expect(answers[0]?.headers.get('ratelimit-policy')).toBe('"free";q=600;w=60');
    // The first was paid.
    expect(charges()).toBe(21);

    const lookedUp = api.services.payloadsOf(getProfile).length;
    const refused = await read(key, unchanged);
    expect(refused.status).toBe(429);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused.json()).toEqual({ error: expect.stringContaining('600') as string });
    expect(api.services.payloadsOf(getProfile)).toHaveLength(lookedUp);

    const paid = await read(key);
    expect([paid.status, paid.headers.get('x-credits-used')]).toEqual([200, '1']);
  });

  it('searches without a match are among them', async () => {
    const key = await keyOfAccount(freeCallsMax - 1);
    api.services.on(searchCreators, () => new WithBytes({ total: 0, returned: 0 }, Buffer.from('[]')));
    const free = await get(key, '/search?q=nobody');
    expect([free.status, free.headers.get('ratelimit')]).toEqual([
      200,
      expect.stringMatching(/^"search";r=59;t=\d+, "free";r=0;t=\d+$/),
    ]);
    expect((await get(key, '/search?q=nobody')).status).toBe(429);
    expect(charges()).toBe(1);
  });

  it('calls of a test key are among them, apart from those of its account, and billing gets no message of them', async () => {
    const key = await keyOfAccount(freeCallsMax - 1, 'test');
    const asked = charges();
    const answer = await read(key);
    expect([answer.status, answer.headers.get('x-credits-used')]).toEqual([200, '1']);
    expect((await read(key)).status).toBe(429);
    expect([charges(), api.services.payloadsOf(getProfile)[0]]).toEqual([
      asked,
      { slug: 'luna', test: true },
    ]);
  });

  it('repeated calls are among them', async () => {
    const key = await keyOfAccount(freeCallsMax - 1);
    api.answerCharges({ credits_used: 0, is_repeat: true });
    const repeated = { 'idempotency-key': 'again' };
    expect((await read(key, repeated)).status).toBe(200);
    expect((await read(key, repeated)).status).toBe(429);
    const asked = charges();
    expect((await read(key, repeated)).status).toBe(429);
    expect(charges()).toBe(asked);
  });
});

const paths = ['/creators/luna', '/search?q=luna'];

describe('calls whose client disconnects before the answer has arrived', () => {
  beforeAll(() => api.settlementsSoFar());

  const abandoned = (): Promise<number> => metric('charged_calls_total{end="abandoned"');

  /** A paid call whose client resets the connection while it is being charged: how it was settled. */
  async function hangUp(path: string): Promise<Settlement['outcome'] | undefined> {
    const socket = await api.open();
    const settled = gate();
    const before = charges();
    api.answerCharges({}, settled.opened);
    socket.write(api.written(path));
    await until(() => charges() > before);
    socket.resetAndDestroy();
    const [outcome] = await api.outcomes(1);
    settled.open();
    return outcome;
  }

  it('are free, and refused from the 61st in a minute on, for every paid operation and nothing else', async () => {
    const before = await abandoned();
    for (let count = 1; count < keyLimit.calls; count++) {
      expect(await hangUp(paths[count % paths.length] ?? '')).toBe('voided');
    }
    api.scriptSuccess();
    expect((await api.get('/creators/luna')).status).toBe(200);
    expect(await api.outcomes(1)).toEqual(['posted']);

    await hangUp('/creators/luna');
    expect((await abandoned()) - before).toBe(keyLimit.calls);
    api.scriptSuccess();
    api.services.on(getBalance, () => ({ credits_remaining: 9, lots: [] }));
    const refused = await eventuallyRefused('/creators/luna');
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(await refused.text()).toMatch(/^\{"error":"[^"]*disconnected from 60 calls[^"]*"\}$/);
    const charged = charges();
    expect((await api.get('/balance')).status).toBe(200);
    expect(charges()).toBe(charged);
  }, 30_000);

  /** The gateway learns from Redis, a moment after the last call, that there were too many. */
  async function eventuallyRefused(path: string): Promise<Response> {
    for (;;) {
      const response = await api.get(path);
      if (response.status === 429) return response;
      expect(response.status).toBe(200);
      expect(await api.outcomes(1)).toEqual(['posted']);
    }
  }
});
