import { createFundedAccount, spentBy, type TestAccount } from '../support/accounts.js';
import { environment } from '../support/environment.js';
import { api, type ErrorBody, paths, type PublicReply } from '../support/public-api.js';
import { exchangeRaw } from '../support/raw-http.js';
import { SuiteCatalog } from '../support/suite-catalog.js';

const catalog = SuiteCatalog.forSuite();
const creator = catalog.record('someone');
const { slug } = creator;
let account: TestAccount;

beforeAll(async () => {
  account = await createFundedAccount();
  await catalog.importVisible([creator]);
});

/** Expects the status, a JSON body with only `error` and these fields, and that no credits are taken. */
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

/** A sentence in `error`, and at most `details`: not the body of some library. */
function expectOurBody(text: string): void {
  const body = JSON.parse(text) as ErrorBody;
  expect(['error', 'details,error']).toContain(Object.keys(body).sort().join());
  expect(body.error).toMatch(/^\S+( \S+){2,}$/);
}

// A 409, 415, 422 and 429 are in the suites of what they refuse.
describe('an error is JSON with a sentence and the documented fields, and free', () => {
  it.each([
    [400, () => api.search({ limit: 0 }, account.key), ['details']],
    [401, () => api.send(paths.profile(slug)), []],
    [404, () => api.profile(`${slug}-nobody`, account.key), []],
  ] as [number, () => Promise<PublicReply<unknown>>, string[]][])('%i', async (status, call, additions) => {
    await expectFree(status, call, additions);
  });

  it('402: credits_needed and credits_remaining', async () => {
    const poor = await createFundedAccount({ credits: 2 });
    const search = () => api.search({ country: catalog.country, q: 'someone' }, poor.key);
    expect(await spentBy(poor.id, search)).toBe(0);
    const reply = await search();
    expect(Object.keys(reply.body).sort()).toEqual(['credits_needed', 'credits_remaining', 'error']);
    expect(reply).toMatchObject({ status: 402, body: { credits_needed: 3, credits_remaining: 2 } });
    expect((await api.search({ country: catalog.country }, poor.key)).status).toBe(200);
  });
});

describe('an error for a client that accepts application/problem+json', () => {
  const headers = { accept: 'application/json, application/problem+json' };

  it('is problem details (RFC 9457), with the same additions', async () => {
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

  it('has the details of an invalid request, and is a 404 for an unknown path', async () => {
    const bad = await api.get(`${paths.search}?limit=0`, account.key, { headers });
    expect(JSON.parse(bad.text)).toMatchObject({ status: 400, details: { limit: [expect.any(String)] } });
    const lost = await api.get('/nothing', account.key, { headers });
    expect(JSON.parse(lost.text)).toMatchObject({ type: 'urn:creator-search:problem:not_found' });
  });

  it('does not change a success', async () => {
    const reply = await api.get(paths.profile(slug), account.key, { headers });
    expect(reply.headers['content-type']).toMatch(/^application\/json/);
  });
});

it.each(['search', 'profile'] as const)('another method is a 405 with Allow, free: %s', async (operation) => {
  const path = operation === 'search' ? paths.search : paths.profile(slug);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
    const reply = await expectFree(405, () => api.get(path, account.key, { method, body: '{"broken' }));
    expect(reply.headers.allow).toBe('GET');
  }
  const spent = await spentBy(account.id, async () => {
    const headers = { 'if-none-match': '*' };
    const reply = await api.get(path, account.key, { method: 'HEAD', headers });
    expect(reply).toMatchObject({ status: 405, text: '', headers: { allow: 'GET' } });
  });
  expect(spent).toBe(0);
});

it.each([
  '/api/public/v2/search',
  '/api/public/v1/Search',
  '/api/public/v1/search/more',
  '/admin/v1/packs',
  '/__proto__',
  '/%00',
])('an unknown path is a 404: %s', async (path) => {
  await expectFree(404, () => api.get(path, account.key));
});

describe('errors of the HTTP layer have our body too', () => {
  it('for an address of 20 kB and headers of 40 kB', async () => {
    const long = await api.searchRaw(`q=${'a'.repeat(20_000)}`, account.key);
    expect([414, 431]).toContain(long.status);
    expect(Object.keys(long.body)).toEqual(['error']);
    const headers = { 'x-large': 'a'.repeat(40_000) };
    const large = await api.get(paths.search, account.key, { headers });
    expect([large.status, Object.keys(large.body)]).toEqual([431, ['error']]);
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
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: the-best\r\n\r\n', 417],
    ['headers that do not arrive in time', 'GET / HTTP/1.1\r\nHost: a\r\n', 408],
  ])(
    'for malformed HTTP: %s',
    async (_what, request, expected = 400) => {
      const { status, headers, body } = await exchangeRaw(environment.publicUrl, request);
      expect(status).toBe(expected);
      expect(headers).toMatch(/content-type: application\/json/i);
      expectOurBody(body);
      expect((await api.profile(slug, account.key)).status).toBe(200);
    },
    15_000,
  );
});

describe('the headers of answers', () => {
  it('have a request id of their own, a Cache-Control and no name of our software, whatever the status', async () => {
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
      // The caller may keep a paid answer, and has to ask each time whether it is still current.
      const isPaid = status === 200 && headers.etag !== undefined;
      expect(headers['cache-control']).toBe(isPaid ? 'private, no-cache' : 'no-store');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
    }
    expect(new Set(replies.map(({ headers }) => headers['x-request-id'])).size).toBe(replies.length);
  });
});
