import { inspect } from 'node:util';
import { CreatorSearch } from './client.js';
import {
  answers,
  answersHtml,
  breaksOff,
  failureOf,
  hangsUp,
  neverAnswers,
  redirects,
  searchBody,
  succeeds,
} from './fixtures/behaviours.fixture.js';
import { type Behaviour, ScriptedServer } from './fixtures/scripted-server.fixture.js';

const apiKey = 'csk_veryprivate0123456789';
const server = ScriptedServer.forSuite();
const other = ScriptedServer.forSuite();
const client = new CreatorSearch({ apiKey, baseUrl: server.url, retryWaitMaxMs: 0, timeoutMs: 2_000 });
beforeAll(() => other.plays(succeeds));

describe('the key goes only to the service', () => {
  it('a redirect to another origin is not followed', async () => {
    server.plays(redirects(`${other.url}/api/public/v1/search?token=abc`));
    const error = await failureOf(client.search());
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', status: 302, attempts: 1 });
    expect(error.message).toContain(`a redirect to ${other.url}, which is not followed`);
    expect(error.message).not.toContain('abc');
    expect(other.requests).toHaveLength(0);
  });

  it('a link to another origin moves only the cursor', async () => {
    const link = `<${other.url}/steal?country=France&cursor=abc>; rel="next"`;
    server.plays(answers(200, { ...searchBody, credits_used: 2 }, { link }), succeeds);
    const pages = [];
    for await (const page of client.searchAll({ country: 'Peru' }).pages()) pages.push(page);
    expect(pages.map(({ nextCursor }) => nextCursor)).toEqual(['abc', null]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/public/v1/search?country=Peru&limit=100',
      '/api/public/v1/search?country=Peru&limit=100&cursor=abc',
    ]);
    expect(other.requests).toHaveLength(0);
  });
});

describe('the key is never shown', () => {
  const everythingOf = (value: unknown): string =>
    [
      inspect(value, { depth: null, showHidden: true }),
      String(value),
      JSON.stringify(value, Object.getOwnPropertyNames(value)),
      value instanceof Error ? value.stack : '',
    ].join('\n');

  const echo: Behaviour = (response, { headers }) =>
    answers(401, { error: `No such key: ${headers.authorization}` })(response, { headers } as never);
  const echoInDetails: Behaviour = (response, { headers }) =>
    answers(400, { error: 'no', details: { [headers.authorization ?? '']: [headers.authorization] } })(
      response,
      { headers } as never,
    );

  it.each<[string, Behaviour]>([
    ['no answer', hangsUp],
    ['a time-out', neverAnswers],
    ['an answer that broke off', breaksOff],
    ['a redirect', redirects('https://elsewhere.example/')],
    ['a page', answersHtml(200)],
    ['401', answers(401, { error: 'no' })],
    ['an answer that repeats it', echo],
    ['details that repeat it', echoInDetails],
  ])('in the error of %s', async (_what, behaviour) => {
    server.plays(behaviour);
    const shown = everythingOf(await failureOf(client.search({}, { retries: 0, timeoutMs: 200 })));
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(shown).not.toContain(apiKey);
  });

  it('in the error of a fetch that hangs the request on its errors', async () => {
    const careless = new CreatorSearch({
      apiKey,
      baseUrl: server.url,
      retries: 0,
      fetch: (_url, { headers }) => {
        const cause = Object.assign(new Error(`refused: ${headers.authorization}`), {
          code: 'E_REFUSED',
          headers,
        });
        return Promise.reject(
          Object.assign(new TypeError('fetch failed', { cause }), { config: { headers } }),
        );
      },
    });
    const error = await failureOf(careless.search());
    expect(everythingOf(error)).not.toContain(apiKey);
    expect(error.message).toContain('refused: Bearer [API key]');
    expect(error.cause).toMatchObject({ name: 'TypeError', cause: { code: 'E_REFUSED' } });
  });

  it('by the client', () => {
    expect(everythingOf(client)).not.toContain(apiKey);
    expect(inspect(client)).toBe(`CreatorSearch { baseUrl: '${server.url}' }`);
    expect(JSON.stringify({ client })).toBe(`{"client":{"baseUrl":"${server.url}"}}`);
  });
});
