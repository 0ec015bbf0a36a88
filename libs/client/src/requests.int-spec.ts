import { CreatorSearch } from './client.js';
import { answers, failureOf, hangsUp, searchBody, succeeds } from './fixtures/behaviours.fixture.js';
import { type Behaviour, ScriptedServer } from './fixtures/scripted-server.fixture.js';

const apiKey = 'csk_veryprivate0123456789';
const server = ScriptedServer.forSuite();
const client = new CreatorSearch({ apiKey, baseUrl: server.url, retryWaitMaxMs: 0, timeoutMs: 2_000 });

describe('a list in pages', () => {
  const creators = (...slugs: string[]) => ({ ...searchBody, creators: slugs.map((slug) => ({ slug })) });
  const page = (cursor: string, ...slugs: string[]) =>
    answers(200, creators(...slugs), { link: `</search?cursor=${cursor}>; rel="next"` });

  it('has the items of all pages, each page a call with an idempotency key and request id of its own', async () => {
    server.plays(page('b', '1', '2'), page('c'), answers(200, creators('3')));
    const slugs = [];
    for await (const { slug } of client.searchAll({ limit: 2 })) slugs.push(slug);
    expect(slugs).toEqual(['1', '2', '3']);
    const ids = server.requests.flatMap(({ headers }) => [
      headers['idempotency-key'],
      headers['x-request-id'],
    ]);
    expect(new Set(ids).size).toBe(6);
  });

  it('is not read on after a break', async () => {
    server.plays(page('b', '1', '2'), page('c', '3', '4'), page('d', '5'));
    for await (const { slug } of client.searchAll()) if (slug === '3') break;
    expect(server.requests).toHaveLength(2);
  });

  it('that leads back to itself ends with an error instead of costing for ever', async () => {
    server.plays(page('b', '1'));
    const read = async () => {
      for await (const { slug } of client.searchAll()) expect(slug).toBe('1');
    };
    expect(await failureOf(read())).toMatchObject({ name: 'UnexpectedResponseError' });
    expect(server.requests).toHaveLength(2);
  });
});

/** What the service would answer, for 1 credit each. */
const finds: Behaviour = (response, request) => {
  const { creators } = JSON.parse(request.body) as { creators: { slug: string }[] };
  const results = creators.map(({ slug }) => ({ slug, status: 'found', profile: { slug } }));
  answers(200, { results, credits_used: results.length, credits_remaining: 9 })(response, request);
};
const slugs = Array.from({ length: 250 }, (_, index) => `creator-${index}`);

it('many profiles are read a hundred in each call with a key of its own; a later program goes on where one has stopped', async () => {
  server.plays(finds);
  const [read, used]: [string[], number[]] = [[], []];
  let stopped: string | undefined;
  for await (const page of client.creatorsAll(slugs).pages()) {
    read.push(...page.results.map(({ slug }) => slug));
    used.push(page.credits.used);
    stopped = page.nextCursor ?? undefined;
    if (used.length === 2) break;
  }
  for await (const { slug } of client.creatorsAll(slugs, { cursor: stopped })) read.push(slug);
  expect([read, used]).toEqual([slugs, [100, 100]]);
  const keys = server.requests.map(
    ({ headers, method, url }) => `${method} ${url} ${headers['idempotency-key']}`,
  );
  expect(new Set(keys).size).toBe(3);
  expect(keys[0]).toMatch(/^POST \/api\/public\/v1\/creators\/batch \S{36}$/);
  for await (const one of client.creatorsAll([])) throw new Error(`${one.slug} was not asked for`);
  expect(server.requests).toHaveLength(3);
});

describe('what is sent', () => {
  it('has the parameters encoded, and those that are undefined left out', async () => {
    server.plays(succeeds);
    await client.search({ q: 'C++ & "Ü"', country: undefined, min_followers: 0 });
    const { url, headers, method } = server.requests[0] ?? {};
    expect(new URLSearchParams(url?.split('?')[1])).toEqual(
      new URLSearchParams({ q: 'C++ & "Ü"', min_followers: '0' }),
    );
    expect(headers).toMatchObject({ accept: 'application/json', authorization: `Bearer ${apiKey}` });
    expect(method).toBe('GET');
  });

  it('keeps a slug inside its segment of the path', async () => {
    server.plays(answers(404, { error: 'Nobody.' }));
    await failureOf(client.creator('../balance?x=1#y'));
    expect(server.requests[0]?.url).toBe('/api/public/v1/creators/..%2Fbalance%3Fx%3D1%23y');
  });

  it.each<[string, (c: CreatorSearch) => Promise<unknown>, string]>([
    ['null', (c) => c.search({ country: null as never }), 'country must be a string or a number'],
    ['a list', (c) => c.search({ country: ['Peru', 'Chile'] as never }), 'country must be'],
    ['no slug', (c) => c.creator(undefined as never), 'slug must be a string'],
    ['an empty request id', (c) => c.call(''), 'requestId must be a string'],
    ['a request id with a space', (c) => c.search({}, { requestId: 'a b' }), 'requestId must have'],
    ['an ETag with a line feed', (c) => c.creator('x', { ifNoneMatch: 'a\nb' }), 'ifNoneMatch must'],
    ['a time-out that no timer can hold', (c) => c.search({}, { timeoutMs: 2 ** 31 }), 'timeoutMs must'],
  ])('is nothing for %s: a TypeError says why', async (_what, call, words) => {
    server.plays(succeeds);
    await expect(call(client)).rejects.toThrow(TypeError);
    await expect(call(client)).rejects.toThrow(words);
    expect(server.requests).toHaveLength(0);
  });
});

it('a profile that the caller has already is sent with its ETag, and asked for by it', async () => {
  const profile = { slug: 'someone', name: 'Someone', platforms: [], credits_used: 1, credits_remaining: 9 };
  server.plays(answers(200, profile, { etag: '"v1"' }));
  const first = await client.creator('someone');
  const credits = { used: 1, remaining: 9 };
  expect(first).toMatchObject({ unchanged: false, etag: '"v1"', slug: 'someone', credits });
  expect(server.requests[0]?.headers).not.toHaveProperty('if-none-match');

  const free = { 'x-credits-used': '0', 'x-credits-remaining': '3', 'x-credits-warning': 'Low balance.' };
  server.plays((response) => response.writeHead(304, { etag: '"v1"', ...free }).end());
  expect(await client.creator('someone', { ifNoneMatch: first.etag })).toEqual({
    unchanged: true,
    etag: '"v1"',
    credits: { used: 0, remaining: 3, warning: 'Low balance.' },
    requestId: server.requests[0]?.headers['x-request-id'],
  });
  expect(server.requests[0]?.headers['if-none-match']).toBe('"v1"');
});

describe('looking up accounts', () => {
  it('asks for one by its URL, or by platform and handle', async () => {
    server.plays(answers(200, { slug: null }));
    expect(await client.lookup('https://youtube.com/@x?a=b')).toMatchObject({ slug: null });
    await client.lookup({ platform: 'x', handle: '@y' });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/public/v1/lookup?url=https%3A%2F%2Fyoutube.com%2F%40x%3Fa%3Db',
      '/api/public/v1/lookup?platform=x&handle=%40y',
    ]);
  });

  const results: Behaviour = (response, { body }) => {
    const { accounts } = JSON.parse(body) as { accounts: { url?: string; handle?: string }[] };
    answers(200, { results: accounts.map(({ url, handle }) => ({ slug: url ?? handle ?? null })) })(
      response,
      {} as never,
    );
  };

  it('asks for many a hundred at a time, and keeps their order', async () => {
    server.plays(hangsUp, results);
    const urls = Array.from({ length: 249 }, (_, index) => `https://x.com/${index}`);
    const found = await client.lookupAll([{ platform: 'x', handle: 'first' }, ...urls]);
    expect(found.map(({ slug }) => slug)).toEqual(['first', ...urls]);
    expect(new Set(found.map(({ requestId }) => requestId)).size).toBe(3);
    const sizes = server.requests.map(({ body }) => (JSON.parse(body) as { accounts: [] }).accounts.length);
    expect(sizes).toEqual([100, 100, 100, 50]);
  });

  it('sends long links in bodies that the API takes', async () => {
    server.plays(results);
    const urls = Array.from({ length: 100 }, (_, index) => `https://x.com/${index}?ä=${'ä'.repeat(400)}`);
    const found = await client.lookupAll(urls);
    expect(found.map(({ slug }) => slug)).toEqual(urls);
    const bytes = server.requests.map(({ body }) => Buffer.byteLength(body));
    expect(bytes).toHaveLength(2);
    expect(Math.max(...bytes)).toBeLessThan(65_536);
  });

  it('does not shift results when one is missing', async () => {
    server.plays(answers(200, { results: [{ slug: 'a' }] }));
    await expect(client.lookupAll(['https://x.com/a', 'https://x.com/b'])).rejects.toMatchObject({
      name: 'UnexpectedResponseError',
    });
  });
});
