import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  charge,
  getProfile,
  listFilters,
  lookUpAccounts,
  type NextPage,
  searchCreators,
  type SearchSummary,
  WithBytes,
} from '#contracts';
import fc from 'fast-check';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

// Prices, errors and both kinds of clients: test/e2e/mcp.e2e-spec.ts.
const api = PublicApiFixture.forSuite();
let url: string;
/** The protocol's own client, connected with the key. */
let client: Client;

const entry = {
  slug: 'luna',
  name: 'Lúna',
  url: 'https://example.com/creators/luna',
  country: 'Chile',
  total_reach: 12,
  platforms: [{ platform: 'x', handle: '@luna', url: 'https://x.com/luna', followers: 12 }],
};

const profile = {
  ...entry,
  tagline: 'Moon',
  languages: ['Spanish'],
  verified: true,
  categories: ['science'],
  platforms: [{ ...entry.platforms[0], updated_at: '2026-01-31T00:00:00.000Z' }],
};

/** The reply of the catalog when one creator matches. */
const found = (next: NextPage | null = null): WithBytes<SearchSummary> =>
  new WithBytes({ total: 1, returned: 1, next }, Buffer.from(JSON.stringify([entry])));

beforeAll(async () => {
  url = `${api.origin}/mcp`;
  api.scriptSuccess();
  client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const headers = { authorization: `Bearer ${api.key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
});
beforeEach(() => {
  api.services.on(searchCreators, () => found());
  api.services.on(getProfile, () => new WithBytes({ found: true }, Buffer.from(JSON.stringify(profile))));
});
afterEach(() => expect(api.settlements.waiting).toBe(0));
afterAll(() => client?.close());

type ToolResult = Awaited<ReturnType<Client['callTool']>>;

const call = (name: string, toolArguments: Record<string, unknown> = {}): Promise<ToolResult> =>
  client.callTool({ name, arguments: toolArguments });

/** The text of a result: a line, or the JSON of an error. */
function textOf({ content: [content] }: ToolResult): string {
  if (content?.type !== 'text') throw new Error('a result is a text');
  return content.text;
}

/** The names of the arguments of which the error of a result says what is wrong. */
function wrongArguments(result: ToolResult): string[] {
  expect(result).toMatchObject({ isError: true });
  expect(result.structuredContent).toBeUndefined();
  return Object.keys((JSON.parse(textOf(result)) as { details: object }).details);
}

/** A JSON-RPC request of a client of 2025. */
const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
const toolCall = (name: string, toolArguments: object) =>
  request('tools/call', { name, arguments: toolArguments });
const profileCall = toolCall('get_creator', { slug: 'luna' });

/** Posts a body as it is, with the key unless `headers` say otherwise. */
function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return postOpenly(body, { authorization: `Bearer ${api.key}`, ...headers });
}

function postOpenly(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const accept = 'application/json, text/event-stream';
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The status of an answer and what it says. */
async function read(answer: Promise<Response>): Promise<[number, unknown]> {
  const response = await answer;
  return [response.status, await response.json()];
}

const charges = () => api.services.payloadsOf(charge);

it('filters come fifty at a time with their totals, unless more are asked for', async () => {
  const countries = Array.from({ length: 60 }, (_, index) => ({
    name: `Land ${index}`,
    creators: 100 - index,
  }));
  const others = { categories: [{ slug: 'fitness', creators: 3 }], languages: [], platforms: [] };
  api.services.on(listFilters, () => ({ countries, ...others }));
  const filters = await call('list_filters');
  expect(textOf(filters)).toBe('50 of 60 countries, 1 of 1 categories, 0 of 0 languages, 0 of 0 platforms');
  expect(filters.structuredContent).toEqual({
    countries: countries.slice(0, 50),
    ...others,
    totals: { countries: 60, categories: 1, languages: 0, platforms: 0 },
  });
  expect((await call('list_filters', { limit: 60 })).structuredContent).toMatchObject({ countries });
});

it('look-ups take a list as JSON too, and say what is wrong with an item', async () => {
  api.services.on(lookUpAccounts, ({ accounts }) => ({
    results: accounts.map(({ url }) =>
      url === 'nonsense' ? { slug: null, details: { url: ['url is no link'] } } : { slug: 'luna' },
    ),
  }));
  const accounts = [{ url: 'https://x.com/luna', platform: null }, { url: 'nonsense' }];
  const lookedUp = await call('lookup_accounts', { accounts: JSON.stringify(accounts) });
  expect(textOf(lookedUp)).toBe('creators known for 1 of 2 accounts');
  expect(lookedUp.structuredContent).toEqual({
    results: [{ slug: 'luna' }, { slug: null, problem: 'url is no link' }],
  });
  const wrong = await call('lookup_accounts', { accounts: [{ handle: 'luna' }] });
  expect(wrongArguments(wrong)).toEqual(['accounts[0].platform']);
  expect(charges()).toEqual([]);
});

it('creators come ten at a time, with the cursor of the next ones', async () => {
  const next = { slug: 'luna', updated_at: '2026-01-31T00:00:00.000Z' };
  api.services.on(searchCreators, () => found(next));
  const first = await call('search_creators', { country: 'Chile' });
  const { next_cursor: cursor } = first.structuredContent as { next_cursor: string };
  await call('search_creators', { country: 'Chile', cursor });
  expect(api.services.payloadsOf(searchCreators)).toEqual([
    { country: 'Chile', limit: 10, sort: 'recent' },
    { country: 'Chile', limit: 10, sort: 'recent', after_slug: next.slug, after_updated_at: next.updated_at },
  ]);
  await api.outcomes(2);
});

it('a paid call is repeated under its idempotency_key, or that in the header, and says that it was', async () => {
  const header = { 'idempotency-key': 'order-1' };
  const given = { slug: 'luna', idempotency_key: 'order-2' };
  await post(toolCall('get_creator', { slug: 'luna' }), header);
  await post(toolCall('get_creator', given), header);
  await post(toolCall('search_creators', { idempotency_key: 'order-1' }), header);
  const [byHeader, byArgument, search] = charges();
  expect(byHeader?.idempotency_key_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(byArgument?.fingerprint).toBe(byHeader?.fingerprint);
  expect(byArgument?.idempotency_key_hash).not.toBe(byHeader?.idempotency_key_hash);
  expect(search?.idempotency_key_hash).toBe(byHeader?.idempotency_key_hash);
  expect(search?.fingerprint).not.toBe(byHeader?.fingerprint);
  await api.outcomes(3);

  api.answerCharges({ credits_used: 0, credits_remaining: 99, is_repeat: true });
  const repeated = await call('get_creator', given);
  expect(repeated).toMatchObject({ _meta: { 'idempotent-replayed': true } });
  expect(textOf(repeated)).toBe('profile of luna; 0 credits used, 99 remaining; repeats a paid call');
  const invalid = { slug: 'luna', idempotency_key: 'two words' };
  expect(wrongArguments(await call('get_creator', invalid))).toEqual(['idempotency_key']);
});

/** A right message that is broken at one place, or what is more or less like a message. */
const brokenMessage = fc
  .tuple(fc.constantFrom('tools/call', 'tools/list', 'initialize'), fc.nat(), fc.string({ maxLength: 3 }))
  .map(([method, place, inserted]) => {
    const text = JSON.stringify({ ...profileCall, method });
    const cut = place % text.length;
    return text.slice(0, cut) + inserted + text.slice(cut + inserted.length + 1);
  });
const messageLike = fc.oneof(brokenMessage, fc.json(), fc.string());

describe('a request to /mcp', () => {
  it('is a 401 with a wrong key where none is needed, as in the API', async () => {
    const answer = await postOpenly(request('tools/list'), { authorization: 'Bearer csk_nonsense' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.json()).toEqual({ error: expect.stringMatching(/API key/) as string });
  });

  it('takes no key from its URL', async () => {
    const init = { method: 'POST', body: JSON.stringify(toolCall('get_balance', {})) };
    expect(await read(fetch(`${url}?api_key=${api.key}`, init))).toMatchObject([
      400,
      { details: { api_key: [expect.stringContaining('takes none')] } },
    ]);
  });

  it('is a 202 for a notification', async () => {
    const accepted = await postOpenly({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([accepted.status, await accepted.text()]).toEqual([202, '']);
  });

  it.each<[string, unknown]>([
    ['a batch that calls a tool', [request('ping'), profileCall]],
    ['an empty batch', []],
    ['a call without an id, whose result no one would get', { ...profileCall, id: undefined }],
  ])('is refused when it is %s, and costs nothing', async (_name, body) => {
    const refused = { jsonrpc: '2.0', id: null, error: { code: -32_600 } };
    expect(await read(post(body))).toMatchObject([400, refused]);
    expect(api.services.received).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('is a 405 for %s, which names POST', async (method) => {
    const answer = await fetch(url, { method, headers: { accept: 'text/event-stream' } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toEqual({ error: `${method} is not supported here; use POST.` });
  });

  it.each(['https://evil.example', 'null'])('is a 403 for a page of %s', async (origin) => {
    const answer = await post(profileCall, { origin });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await answer.json()).toEqual({
      error: 'Requests from browsers are not allowed; send no Origin header.',
    });
    expect(charges()).toEqual([]);
  });

  it('is a 400 when it is nested too deep', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const sentence = 'The request is not valid: the body must not be nested more than 20 levels deep.';
    const text = JSON.stringify(toolCall('get_creator', { a: 'deep' })).replace('"deep"', deep);
    const error = { code: -32_700, message: sentence };
    expect(await read(post(text))).toMatchObject([400, { jsonrpc: '2.0', id: null, error }]);
  });

  it('that is broken, or made of anything, is answered with JSON that says so, and costs nothing unless it is right', async () => {
    let paid = 0;
    const property = fc.asyncProperty(messageLike, fc.boolean(), async (text, hasKey) => {
      const answer = await (hasKey ? post(text) : postOpenly(text));
      expect(answer.status).toBeLessThan(500);
      const json = await answer.text();
      if (answer.status === 202) return expect(json).toBe('');
      const { error, result } = JSON.parse(json) as Answer;
      if (result?.structuredContent?.credits_used) paid += 1;
      if (!result) expect(typeof error === 'string' ? error : error?.message).toMatch(/.{10,}/s);
    });
    await fc.assert(property, { numRuns: 100 });
    expect(charges()).toHaveLength(paid);
    await api.outcomes(paid);
  }, 60_000);
});

interface Answer {
  readonly error?: { readonly message: string } | string;
  readonly result?: { readonly structuredContent?: { readonly credits_used?: number } };
}
