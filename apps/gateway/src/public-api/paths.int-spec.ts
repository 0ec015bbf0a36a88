import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { charge, getBalance, lookUpAccounts, searchCreators, WithBytes } from '#contracts';
import { metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';

const prefix = '/api/public/v1';

/** What a server answers to these bytes. */
function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return text(socket);
}

const claims = [
  'Host: api.example',
  'Host: evil.example',
  'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: http',
  'Host: <evil>, "',
];

/** Whatever a client says of the host, the link to the next page begins with this origin. */
async function assertOwnLinks(api: PublicApiFixture, origin: string): Promise<void> {
  const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
  api.services.on(
    searchCreators,
    () => new WithBytes({ total: 2, returned: 1, next }, Buffer.from('[{"a":1}]')),
  );
  const linkOf = async (target: string, headers: string): Promise<string> => {
    const socket = await api.open();
    socket.write(`GET ${target} HTTP/1.1\r\nAuthorization: Bearer ${api.key}\r\n${headers}\r\n\r\n`);
    let received = '';
    while (!received.includes('\r\n\r\n')) received += String((await once(socket, 'data'))[0]);
    api.disconnect();
    return /^link: (.*)\r$/im.exec(received)?.[1] ?? received;
  };
  for (const headers of claims) {
    const link = await linkOf(`${prefix}/search?q=luna`, headers);
    expect(link).toMatch(/^<[^>]+>; rel="next"$/);
    expect(link.startsWith(`<${origin}${prefix}/search?q=luna&limit=50&cursor=`)).toBe(true);
    expect(link).not.toContain('evil');
  }
  await api.outcomes(claims.length);
  expect(await linkOf(`http://evil.example${prefix}/search?q=luna`, 'Host: a')).not.toContain('<http://evil');
}

describe('paths and methods', () => {
  const api = PublicApiFixture.forSuite();

  it.each(['/search/?q=ada', '/creators/luna/'])(
    '%s is served, paid and counted as without a slash',
    async (path) => {
      const route = path.startsWith('/search') ? '/search' : '/creators/:slug';
      const series = `http_request_duration_seconds_count{api="public",route="${prefix}${route}"`;
      const before = await metric(series);
      expect((await api.get(path)).status).toBe(200);
      expect(await api.outcomes(1)).toEqual(['posted']);
      expect((await metric(series)) - before).toBe(1);
    },
  );

  it('/mcp/ is served as /mcp; two slashes are another path', async () => {
    const statusOf = async (path: string): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
      const headers = { 'content-type': 'application/json' };
      return (await fetch(api.origin + path, { method: 'POST', headers, body })).status;
    };
    expect([await statusOf('/mcp/'), await statusOf('/mcp'), await statusOf('/mcp//')]).toEqual([
      200, 200, 404,
    ]);
    expect((await api.get('/balance//')).status).toBe(404);
  });

  it.each([
    ['%ff', 400, 'The request is not valid: slug must be percent-encoded UTF-8.'],
    ['%', 400, 'The request is not valid: slug must be percent-encoded UTF-8.'],
    ['a'.repeat(5_000), 404, 'No published creator has this slug.'],
    ['a'.repeat(9_000), 414, 'The URL is too long; send at most 8192 characters.'],
  ])('a slug like %.9s is a %i in words of ours', async (slug, status, error) => {
    const answer = await api.get(`/creators/${slug}`);
    const details = status === 400 ? { details: { slug: ['slug must be percent-encoded UTF-8'] } } : {};
    expect([answer.status, await answer.json()]).toEqual([status, { error, ...details }]);
    expect((await fetch(`${api.origin}/nothing/%ff`)).status).toBe(400);
  });

  it.each(['/docs', `${prefix}/balance`, `${prefix}/lookup?url=x.com/a`])(
    'HEAD %s has the headers of GET and no body',
    async (path) => {
      const { services } = api;
      services.on(getBalance, () => ({ credits_remaining: 1, lots: [] }));
      services.on(lookUpAccounts, () => ({ results: [{ slug: 'luna' }] }));
      const headers = `Host: a\r\nAuthorization: Bearer ${api.key}\r\nConnection: close\r\n\r\n`;
      const ask = async (method: string): Promise<[string[], string]> => {
        const [head = '', body = ''] = (
          await exchange(api.port, `${method} ${path} HTTP/1.1\r\n${headers}`)
        ).split('\r\n\r\n');
        return [head.split('\r\n').filter((line) => !/^(?:x-request-id|date|ratelimit):/i.test(line)), body];
      };
      const [got, body] = await ask('GET');
      expect(got[0]).toBe('HTTP/1.1 200 OK');
      expect(body).not.toBe('');
      expect(await ask('HEAD')).toEqual([got, '']);
      expect(services.payloadsOf(charge)).toEqual([]);
    },
  );

  it('the next page is linked by its path, whatever the client says of the host', () =>
    assertOwnLinks(api, ''));

  it('has no page for people: browsers get JSON too', async () => {
    const answer = await fetch(`${api.origin}/account`, { headers: { accept: 'text/html' } });
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'No such path.' }]);
  });
});

describe('where customers come by https', () => {
  const origin = 'https://api.example';
  const api = PublicApiFixture.forSuite({ PUBLIC_URL: origin });

  it('the next page is linked at the public address, whatever the client says of the host', () =>
    assertOwnLinks(api, origin));

  it.each(['/docs', '/', `${prefix}/balance`, `${prefix}/search`, `${prefix}/creators/%ff`])(
    '%s says so',
    async (path) => {
      const headers = {
        accept: 'text/html',
        authorization: `Bearer ${path.endsWith('search') ? api.key : 'x'}`,
      };
      const answer = await fetch(api.origin + path, { headers, redirect: 'manual' });
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
    },
  );

  it.each([
    '\0\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n',
  ])('%j is refused with it', async (bytes) => {
    expect(await exchange(api.port, bytes)).toMatch(/^strict-transport-security: max-age=31536000\r$/im);
  });
});
