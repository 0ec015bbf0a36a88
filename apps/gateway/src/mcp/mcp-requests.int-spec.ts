import { authenticateKeys, charge, searchCreators, WithBytes } from '@app/contracts';
import { generateApiKey } from '@app/platform';
import { McpFixture, profile, request, toolCall, toolError, type ToolResult } from './mcp.fixture.js';
import { gate } from '@app/testing';

describe('requests to /mcp', () => {
  let mcp: McpFixture;

  beforeAll(async () => {
    mcp = await McpFixture.start();
  });
  afterAll(() => mcp.stop());
  beforeEach(() => mcp.scriptSuccess());
  afterEach(() => expect(mcp.api.settlements.waiting).toBe(0));

  const charges = () => mcp.api.services.payloadsOf(charge);

  it('answers with JSON alone, never with a stream', async () => {
    const answer = await mcp.post(toolCall('get_creator', { slug: 'luna' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { structuredContent: profile },
    });
    await mcp.api.settlements.next();
  });

  it.each([
    ['no key', {}],
    ['a key that can not be right', { authorization: 'Bearer csk_nonsense' }],
    ['a key of another scheme', { authorization: 'Basic YTpi' }],
  ])('401 for a call with %s, as the API says it', async (_name, headers) => {
    const answer = await mcp.postOpenly(toolCall('get_creator', { slug: 'luna' }), headers);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/API key/) as string });
    expect(charges()).toEqual([]);
  });

  it('checks a key that is sent although none is needed, so that a wrong one shows at once', async () => {
    const answer = await mcp.post(request('tools/list'), { authorization: 'Bearer csk_nonsense' });
    expect(answer.status).toBe(401);
  });

  it('takes no key from the URL', async () => {
    const answer = await fetch(`${mcp.url}?api_key=${mcp.api.key}`, {
      method: 'POST',
      body: JSON.stringify(toolCall('get_balance', {})),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      details: { api_key: [expect.stringContaining('takes none')] },
    });
  });

  it('401 when the key was switched off while the call was on its way', async () => {
    mcp.api.services.on(charge, () => ({ outcome: 'key_revoked' as const }));
    const answer = await mcp.post(toolCall('get_creator', { slug: 'luna' }));
    expect([answer.status, await answer.json()]).toEqual([
      401,
      { error: `This API key is not active. Your keys are at ${new URL('/account/keys', mcp.url).href}` },
    ]);
    expect(await mcp.api.settlementsSoFar()).toEqual([]);
  });

  it('401 with the reason for a key of an account that is stopped', async () => {
    const stopped = {
      key_id: 'key-1',
      account_id: 'account-1',
      prefix: 'csk_123456',
      is_stopped: true as const,
    };
    // Another key, because that of the fixture is remembered for a second.
    const headers = { authorization: `Bearer ${generateApiKey()}` };
    mcp.api.services.on(authenticateKeys, ({ key_hashes }) => ({ keys: key_hashes.map(() => stopped) }));
    const answer = await mcp.post(toolCall('get_creator', { slug: 'luna' }), headers);
    expect([answer.status, await answer.json()]).toEqual([
      401,
      {
        error: expect.stringContaining(
          "the payment for credits that were used was reversed by the buyer's bank",
        ) as string,
      },
    ]);
    expect(charges()).toEqual([]);
  });

  it('has one limit for searches with the API', async () => {
    mcp.api.services.on(
      searchCreators,
      () => new WithBytes({ total: 0, returned: 0, next: null }, Buffer.from('[]')),
    );
    for (let search = 0; search < 30; search += 1) {
      await (await mcp.api.get('/search?q=')).text();
      await (await mcp.post(toolCall('search_creators', { q: '' }))).text();
    }
    const refused = await mcp.post(toolCall('search_creators', {}));
    expect(refused.headers.get('ratelimit')).toMatch(/^"search";r=0;/);
    const { result } = (await refused.json()) as { result: ToolResult };
    expect(toolError(result).error).toMatch(
      /^A key may search 60 times in 60 seconds; try again in \d+ seconds?\.$/,
    );
    expect((await mcp.api.get('/search')).status).toBe(429);
    expect(charges()).toEqual([]);
  });

  describe('a batch', () => {
    it('of questions is answered as one', async () => {
      const answer = await mcp.postOpenly([
        request('ping'),
        { ...request('tools/list'), id: 2 },
        { jsonrpc: '2.0', method: 'notifications/initialized' },
      ]);
      const messages = (await answer.json()) as { id: number }[];
      expect([answer.status, messages.map(({ id }) => id)]).toEqual([200, [1, 2]]);
    });

    it.each([
      ['calls a tool', [toolCall('get_creator', { slug: 'luna' })]],
      ['calls a tool among other things', [request('ping'), toolCall('get_balance', {})]],
      ['is too long', Array.from({ length: 11 }, () => request('ping'))],
      ['is empty', []],
    ])('that %s is refused as a whole, and costs nothing', async (_name, batch) => {
      const answer = await mcp.post(batch);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_600 } });
      expect(mcp.api.services.received).toEqual([]);
    });
  });

  it('a tool called without an id is not called: nobody would hear of the result', async () => {
    const answer = await mcp.post({ ...toolCall('get_creator', { slug: 'luna' }), id: undefined });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: -32_600 } }]);
    expect(mcp.api.services.received).toEqual([]);
  });

  it('says in words which parameters of a method are wrong', async () => {
    const answer = await mcp.postOpenly(request('initialize', { protocolVersion: 7 }));
    expect(await answer.json()).toMatchObject({
      id: 1,
      error: {
        code: -32_602,
        message: expect.stringMatching(
          /^Invalid params: params.protocolVersion: .*; params.capabilities: /,
        ) as string,
      },
    });
  });

  it('a notification is accepted, and has no answer', async () => {
    const answer = await mcp.postOpenly({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
  });

  describe('a client of 2026-07-28', () => {
    const revision = '2026-07-28';
    const modern = (method: string, version = revision): object =>
      request(method, {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      });
    const headers = (method: string, version = revision): Record<string, string> => ({
      'mcp-protocol-version': version,
      'mcp-method': method,
    });

    it('may keep the list of tools for an hour', async () => {
      const answer = await mcp.postOpenly(modern('tools/list'), headers('tools/list'));
      expect(await answer.json()).toMatchObject({ result: { ttlMs: 3_600_000, cacheScope: 'public' } });
    });

    it.each([
      ['a method that is not there', modern('tools/lost'), headers('tools/lost'), 404, -32_601],
      ['listening', modern('subscriptions/listen'), headers('subscriptions/listen'), 404, -32_601],
      ['headers that say something else', modern('tools/list'), headers('tools/call'), 400, -32_020],
      [
        'another revision',
        modern('tools/list', '2030-01-01'),
        headers('tools/list', '2030-01-01'),
        400,
        -32_022,
      ],
    ])('is told what is wrong about %s', async (_name, body, sent, status, code) => {
      const answer = await mcp.postOpenly(body, sent);
      expect([answer.status, await answer.json()]).toMatchObject([
        status,
        { jsonrpc: '2.0', error: { code } },
      ]);
    });
  });

  describe('answers with JSON everywhere', () => {
    it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('405 for %s, which names POST', async (method) => {
      const answer = await fetch(mcp.url, { method, headers: { accept: 'text/event-stream' } });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      expect(await answer.json()).toEqual({ error: `${method} is not supported here; use POST.` });
    });

    it.each([
      '/mcp/',
      '/mcp/sse',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration/mcp',
      '/mcp/.well-known/openid-configuration',
      '/register',
    ])('404 for %s', async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(mcp.api.origin + path, { method, headers: { accept: 'text/html' } });
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          404,
          'application/json; charset=utf-8',
        ]);
        expect(await answer.json()).toEqual({ error: 'No such path.' });
      }
    });
  });

  it.each(['https://evil.example', 'http://localhost:3000', 'null'])(
    '403 for a page of %s',
    async (origin) => {
      const answer = await mcp.post(toolCall('get_creator', { slug: 'luna' }), { origin });
      expect([answer.status, await answer.json()]).toEqual([
        403,
        { error: 'Requests from browsers are not allowed; send no Origin header.' },
      ]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(charges()).toEqual([]);
    },
  );

  it('413 for a body that is too large, 415 for one that is not JSON', async () => {
    const large = await mcp.post(toolCall('search_creators', { q: 'x'.repeat(70_000) }));
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { error: expect.stringContaining('65536') as string },
    ]);
    const form = await mcp.post('a=b', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([form.status, await form.json()]).toMatchObject([
      415,
      { error: expect.stringContaining('application/json') as string },
    ]);
  });
});

it('MCP=off: the path is not there', async () => {
  const mcp = await McpFixture.start({ MCP: 'off' });
  try {
    const answer = await mcp.postOpenly(request('tools/list'));
    expect([answer.status, await answer.json()]).toEqual([404, { error: 'No such path.' }]);
  } finally {
    await mcp.stop();
  }
});

it('messages without a key wait for a slot like calls', async () => {
  const mcp = await McpFixture.start({ CALLS_IN_WORK_MAX: '1', WAIT_MAX_MS: '100' });
  try {
    mcp.scriptSuccess();
    const [asked, answer] = [gate(), gate()];
    mcp.api.services.on(searchCreators, async () => {
      asked.open();
      await answer.opened;
      return new WithBytes({ total: 0, returned: 0, next: null }, Buffer.from('[]'));
    });
    const search = mcp.api.get('/search');
    await asked.opened;
    const refused = await mcp.postOpenly(request('tools/list'));
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    answer.open();
    expect((await search).status).toBe(200);
    expect((await mcp.postOpenly(request('tools/list'))).status).toBe(200);
  } finally {
    await mcp.stop();
  }
});
