import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { type CallView, listCalls, searchCreators, WithBytes } from '@app/contracts';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

/** What the headers of one answer say, sent as it is written, with the key unless other headers are given. */
async function answerTo(
  api: PublicApiFixture,
  path: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  const authorization = `Bearer ${api.key}`;
  const sent = httpRequest({ port: api.port, path, method, headers: { authorization, ...headers } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, headers: response.headers };
}

/** A search of which another page follows. */
function scriptPages(api: PublicApiFixture): void {
  api.scriptSuccess();
  const next = { slug: 'luna', updated_at: '2026-03-01T12:00:00.000Z' };
  api.services.on(
    searchCreators,
    () => new WithBytes({ total: 9, returned: 2, next }, Buffer.from('[{"a":1},{"b":2}]')),
  );
  api.services.on(listCalls, () => ({ items: [] as CallView[], next_cursor: 'abc' }));
}

describe('when the end of v1 is announced', () => {
  let api: PublicApiFixture;

  beforeAll(async () => {
    api = await PublicApiFixture.start({
      V1_DEPRECATED_AT: '2026-12-01T00:00:00.500Z',
      V1_SUNSET_AT: '2027-12-01T01:00:00+01:00',
      V1_SUCCESSOR_URL: 'https://api.example/api/public/v2?a=<b>',
    });
  });
  afterAll(() => api?.stop());
  beforeEach(() => scriptPages(api));

  const successor = '<https://api.example/api/public/v2?a=%3Cb%3E>; rel="successor-version"';
  const announced = { deprecation: '@1796083200', sunset: 'Wed, 01 Dec 2027 00:00:00 GMT' };

  it.each<[number, string, string, { method?: string; headers?: Record<string, string> }]>([
    [200, 'a profile', '/creators/luna', {}],
    [400, 'a parameter that is not known', '/search?limt=3', {}],
    [400, 'a path that is not percent-encoded', '/search%ZZ', {}],
    [401, 'a key that is none', '/search', { headers: { authorization: 'Bearer nonsense' } }],
    [404, 'a path that does not exist', '/nothing', {}],
    [404, 'the root of the version', '', {}],
    [405, 'another method', '/search', { method: 'POST' }],
    [414, 'a path that is too long for the router', `/creators/${'a'.repeat(5_000)}`, {}],
    [414, 'a URL that is too long', `/search?q=${'a'.repeat(8_200)}`, {}],
    [417, 'an expectation that is not known', '/search', { headers: { expect: 'a miracle' } }],
  ])('%i for %s says so', async (status, _what, path, call) => {
    const answer = await answerTo(api, `/api/public/v1${path}`, call);
    expect(answer).toMatchObject({ status, headers: { ...announced, link: successor } });
  });

  it('503 for a fault of ours says so', async () => {
    api.services.reset();
    expect(await answerTo(api, '/api/public/v1/search')).toMatchObject({
      status: 503,
      headers: { ...announced, link: successor },
    });
  });

  it.each(['/search?country=France', '/calls'])('%s names the next page and the successor', async (path) => {
    const { headers } = await answerTo(api, `/api/public/v1${path}`);
    expect(headers).toMatchObject(announced);
    expect(headers.link).toMatch(/^<[^>]+>; rel="next", </);
    expect(String(headers.link).split(', ')[1]).toBe(successor);
  });

  it('however the path is written', async () => {
    for (const path of [
      '/api/public/%76%31/creators/luna',
      'http://api.example/api/public/v1/creators/luna',
    ]) {
      expect(await answerTo(api, path)).toMatchObject({ status: 200, headers: announced });
    }
  });

  it('other paths do not say so', async () => {
    for (const path of [
      '/',
      '/api/public/v10/search',
      '/api/public/v2/search',
      '/?next=/api/public/v1/search',
    ]) {
      const { headers } = await answerTo(api, path);
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['deprecation']));
      expect(headers).not.toHaveProperty('sunset');
      expect(headers).not.toHaveProperty('link');
    }
  });
});

describe('by default', () => {
  it('nothing is announced', async () => {
    const api = await PublicApiFixture.start();
    try {
      scriptPages(api);
      const { status, headers } = await answerTo(api, '/api/public/v1/search');
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('deprecation');
      expect(headers).not.toHaveProperty('sunset');
      expect(headers.link).toMatch(/^<[^>]+>; rel="next"$/);
    } finally {
      await api.stop();
    }
  });
});
