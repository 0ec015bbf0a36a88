import { charge } from '#contracts';
import fc from 'fast-check';
import { McpFixture, messageLike, request, toolCall } from './mcp.fixture.js';

const mcp = McpFixture.forSuite();
afterEach(() => expect(mcp.api.settlements.waiting).toBe(0));

const charges = () => mcp.api.services.payloadsOf(charge);
const profileCall = toolCall('get_creator', { slug: 'luna' });

/** The status of an answer and what it says. */
async function read(answer: Promise<Response>): Promise<[number, unknown]> {
  const response = await answer;
  return [response.status, await response.json()];
}

describe('a request to /mcp', () => {
  it.each<[string, object, Record<string, string>]>([
    ['a call without a key', profileCall, {}],
    ['a call with a key that cannot be right', profileCall, { authorization: 'Bearer csk_nonsense' }],
    ['a call with a key of another scheme', profileCall, { authorization: 'Basic YTpi' }],
    ['a wrong key where none is needed', request('tools/list'), { authorization: 'Bearer csk_nonsense' }],
  ])('is a 401 for %s, as in the API', async (_name, body, headers) => {
    const answer = await mcp.postOpenly(body, headers);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/API key/) as string });
    expect(charges()).toEqual([]);
  });

  it('takes no key from its URL', async () => {
    const init = { method: 'POST', body: JSON.stringify(toolCall('get_balance', {})) };
    expect(await read(fetch(`${mcp.url}?api_key=${mcp.api.key}`, init))).toMatchObject([
      400,
      { details: { api_key: [expect.stringContaining('takes none')] } },
    ]);
  });

  it('is a 202 for a notification', async () => {
    const accepted = await mcp.postOpenly({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
  });

  it.each<[string, unknown]>([
    ['a batch that calls a tool', [request('ping'), profileCall]],
    ['an empty batch', []],
    ['a call without an id, whose result no one would get', { ...profileCall, id: undefined }],
  ])('is refused when it is %s, and costs nothing', async (_name, body) => {
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600 } };
    expect(await read(mcp.post(body))).toMatchObject([400, refused]);
    expect(mcp.api.services.received).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('is a 405 for %s, which names POST', async (method) => {
    const answer = await fetch(mcp.url, { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toEqual({ error: `${method} is not supported here; use POST.` });
  });

  it.each(['https://evil.example', 'null'])('is a 403 for a page of %s', async (origin) => {
    const answer = await mcp.post(profileCall, { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await answer.json()).toEqual({
      error: 'Requests from browsers are not allowed; send no Origin header.',
    });
    expect(charges()).toEqual([]);
  });

  it('is a 400 when it is nested too deep', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const sentence = 'The request is not valid: the body must not be nested more than 20 levels deep.';
    for (const method of ['initialize', 'tools/call']) {
      const text = JSON.stringify(request(method, { a: 'deep' })).replace('"deep"', deep);
      const error = { code: -32_700, message: sentence };
      expect(await read(mcp.post(text))).toMatchObject([400, { jsonrpc: '2.0', id: null, error }]);
    }
  });

  it('that is broken, or made of anything, is answered with JSON that says so, and costs nothing unless it is right', async () => {
    let paid = 0;
    const property = fc.asyncProperty(messageLike, fc.boolean(), async (text, hasKey) => {
      const answer = await (hasKey ? mcp.post(text) : mcp.postOpenly(text));
      expect(answer.status).toBeLessThan(500);
      const json = await answer.text();
      if (answer.status === 202) return expect(json).toBe('');
      const { error, result } = JSON.parse(json) as Answer;
      if (result?.structuredContent?.credits_used) paid += 1;
      if (!result) expect(typeof error === 'string' ? error : error?.message).toMatch(/.{10,}/s);
    });
    await fc.assert(property, { numRuns: 100 });
    expect(charges()).toHaveLength(paid);
    await mcp.api.outcomes(paid);
  }, 60_000);
});

interface Answer {
  readonly error?: { readonly message: string } | string;
  readonly result?: { readonly structuredContent?: { readonly credits_used?: number } };
}
