import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { api, type ErrorBody, paths, type PublicReply } from '../support/public-api.js';
import { exchangeRaw } from '../support/raw-http.js';
import { randomWord } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const { slug } = creator;
let account: TestAccount;

beforeAll(async () => {
  account = await createFundedAccount();
  await catalog.importVisible([creator]);
});
afterAll(() => catalog.remove());

/** Expects the status with exactly these fields beside `error`, and no credits taken. */
async function expectFree(
  status: number,
  call: () => Promise<PublicReply<unknown>>,
  additions: string[] = [],
): Promise<PublicReply<unknown>> {
  const replies: PublicReply<unknown>[] = [];
  expect(await spentBy(account.id, async () => replies.push(await call()))).toBe(0);
  const [reply] = replies;
  if (!reply) throw new Error('no reply');
  expect(reply).toMatchObject({ status });
  expect(Object.keys(reply.body as object).sort()).toEqual(['error', ...additions].sort());
  expect(reply.body.error).toMatch(/^\S+( \S+)+$/);
  expect(reply.headers['content-type']).toMatch(/^application\/json/);
  return reply;
}

/** `error` with a sentence, at most `details` beside it: not the body of some library. */
function expectOurBody(text: string): void {
  const body = JSON.parse(text) as ErrorBody;
  expect(['error', 'details,error']).toContain(Object.keys(body).sort().join());
  expect(body.error).toMatch(/^\S+( \S+){2,}$/);
}

describe('errors are JSON with an error sentence and documented additions, and free', () => {
  it('400: details names the parameter that failed', async () => {
    const reply = await expectFree(400, () => api.search({ limit: 0 }, account.key), ['details']);
    expect(Object.keys(reply.body.details)).toEqual(['limit']);
  });

  it('401: no additions', async () => {
    await expectFree(401, () => api.send(paths.profile(slug)));
  });

  it('402: credits_needed and credits_remaining, nothing taken', async () => {
    const poor = await createFundedAccount({ credits: 2 });
    const search = () => api.search({ country: catalog.country, q: 'someone' }, poor.key);
    expect(await spentBy(poor.id, search)).toBe(0);
    const reply = await search();
    expect(Object.keys(reply.body).sort()).toEqual(['credits_needed', 'credits_remaining', 'error']);
    expect(reply).toMatchObject({ status: 402, body: { credits_needed: 3, credits_remaining: 2 } });
    expect((await api.search({ country: catalog.country }, poor.key)).status).toBe(200);
  });

  it('404: no additions', async () => {
    await expectFree(404, () => api.profile(`${slug}-nobody`, account.key));
  });

  it('429: no additions', async () => {
    const [, key = ''] = (await createFundedAccount({ keys: 2 })).keys.map((each) => each.key);
    const searches = Array.from({ length: 60 }, () => api.search({ q: randomWord() }, key));
    expect((await Promise.all(searches)).every(({ status }) => status === 200)).toBe(true);
    await expectFree(429, () => api.search({}, key));
  });
});

describe('an error for a client that accepts application/problem+json', () => {
  const headers = { accept: 'application/json, application/problem+json' };

  it('is problem details (RFC 9457), with the additions of the table', async () => {
    const poor = await createFundedAccount({ credits: 2 });
    const query = `?q=someone&country=${encodeURIComponent(catalog.country)}`;
    const reply = await api.get(paths.search + query, poor.key, { headers });
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(reply).toMatchObject({ status: 402, headers: { 'x-request-id': expect.any(String) as string } });
    expect(JSON.parse(reply.text)).toEqual({
      type: 'urn:creator-search:problem:insufficient_credits',
      title: 'Payment Required',
      status: 402,
      detail: expect.stringMatching(/costs 3 credits/) as string,
      request_id: reply.headers['x-request-id'],
      credits_needed: 3,
      credits_remaining: 2,
    });
  });

  it('names what is wrong with a request, and a path that is not known', async () => {
    const bad = await api.get(`${paths.search}?limit=0`, account.key, { headers });
    expect(JSON.parse(bad.text)).toMatchObject({ status: 400, details: { limit: [expect.any(String)] } });
    const lost = await api.get('/nothing', account.key, { headers });
    expect(JSON.parse(lost.text)).toMatchObject({
      status: 404,
      type: 'urn:creator-search:problem:not_found',
    });
  });

  it('and a success is not changed', async () => {
    const reply = await api.get(paths.profile(slug), account.key, { headers });
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
  });
});

describe('another method', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is a 405 with Allow, free',
    async (method) => {
      for (const path of [paths.search, paths.profile(slug)]) {
        const reply = await expectFree(405, () => api.get(path, account.key, { method }));
        expect(reply.headers.allow).toBe('GET');
      }
    },
  );

  it('a body does not matter', async () => {
    const body = '{"broken';
    const headers = { 'content-type': 'application/json' };
    await expectFree(405, () => api.get(paths.search, account.key, { method: 'POST', headers, body }));
  });

  it('HEAD is a 405 with Allow, without a body, never run and never charged', async () => {
    for (const path of [paths.search, paths.profile(slug)]) {
      const spent = await spentBy(account.id, async () => {
        const reply = await api.get(path, account.key, { method: 'HEAD' });
        expect(reply).toMatchObject({ status: 405, text: '' });
        expect(reply.headers.allow).toBe('GET');
      });
      expect(spent).toBe(0);
    }
  });
});

describe('an unknown path is a 404', () => {
  it.each([
    '/',
    '/api',
    '/api/public/v1',
    '/api/public/v2/search',
    '/api/public/v1/Search',
    '/api/public/v1/search/more',
    '/api/public/v1/creators',
    '/api/public/v1/creators/a/b',
    '/admin/v1/packs',
    '/__proto__',
    '/%00',
  ])('%s', async (path) => {
    await expectFree(404, () => api.get(path, account.key));
  });
});

describe('errors of the HTTP layer have our body too', () => {
  it('an address of 20 kB: 414 or 431', async () => {
    const reply = await api.searchRaw(`q=${'a'.repeat(20_000)}`, account.key);
    expect([414, 431]).toContain(reply.status);
    expect(Object.keys(reply.body)).toEqual(['error']);
  });

  it('headers of 40 kB: 431', async () => {
    const headers = { 'x-large': 'a'.repeat(40_000) };
    const reply = await api.get(paths.search, account.key, { headers });
    expect(reply.status).toBe(431);
    expect(Object.keys(reply.body)).toEqual(['error']);
  });

  it.each([
    ['a path that cannot be decoded', '/api/public/v1/creators/%zz'],
    ['a path that is not UTF-8', '/%ff%fe'],
  ])('%s', async (_what, path) => {
    const reply = await api.get(path, account.key);
    expect([400, 404]).toContain(reply.status);
    expectOurBody(reply.text);
    expect(reply.headers['x-request-id']).toMatch(/\S/);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['not HTTP at all', 'hello there\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a NUL in the path', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no host', 'GET /api/public/v1/search HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ])('malformed HTTP, %s: 400', async (_what, request) => {
    const { status, headers, body } = await exchangeRaw(environment.publicUrl, request);
    expect(status).toBe(400);
    expect(headers).toMatch(/content-type: application\/json/i);
    expectOurBody(body);
  });

  it('an expectation that cannot be met', async () => {
    const request = 'GET /api/public/v1/search HTTP/1.1\r\nHost: a\r\nExpect: the-best\r\n\r\n';
    const { status, body } = await exchangeRaw(environment.publicUrl, request);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expectOurBody(body);
  });

  it('headers that do not arrive in time: 408', async () => {
    const { status, body } = await exchangeRaw(
      environment.publicUrl,
      'GET / HTTP/1.1\r\nHost: a\r\n',
      10_000,
    );
    expect(status).toBe(408);
    expectOurBody(body);
  }, 15_000);

  it('the service still answers after all that', async () => {
    expect((await api.profile(slug, account.key)).status).toBe(200);
  });
});

describe('the headers of answers', () => {
  it('x-request-id: the one sent comes back, and is in the ledger', async () => {
    const id = `order-${randomWord()}`;
    const reply = await api.get(paths.profile(slug), account.key, { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toBe(id);
  });

  it.each([
    ['spaces', 'two words'],
    ['markup', '<script>alert(1)</script>'],
    ['1,000 characters', 'a'.repeat(1_000)],
    ['nothing', ''],
  ])('x-request-id with %s is replaced', async (_what, id) => {
    const reply = await api.get(paths.profile(slug), account.key, { headers: { 'x-request-id': id } });
    expect(reply.status).toBe(200);
    expect(reply.headers['x-request-id']).toMatch(/^[\w-]{8,64}$/);
  });

  it('x-request-id, a Cache-Control and what keeps browsers from guessing are on every response', async () => {
    const replies = [
      await api.profile(slug, account.key),
      await api.search({}, account.key),
      await api.search({ limit: 0 }, account.key),
      await api.send(paths.search),
      await api.get('/nowhere', account.key),
      await api.get(paths.search, account.key, { method: 'POST' }),
    ];
    for (const { status, headers } of replies) {
      expect(headers['x-request-id']).toMatch(/\S/);
      // A profile that was read may be kept by the caller alone, who asks each time whether it still holds.
      const isProfile = status === 200 && headers.etag !== undefined;
      expect(headers['cache-control']).toBe(isProfile ? 'private, no-cache' : 'no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(replies.length);
  });

  it('no response names the software behind it', async () => {
    const { headers } = await api.profile(slug, account.key);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });
});
