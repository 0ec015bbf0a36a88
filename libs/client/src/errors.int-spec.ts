import { CreatorSearch } from './client.js';
import { answers, answersHtml, failureOf, searchBody } from './fixtures/behaviours.fixture.js';
import { type Behaviour, ScriptedServer } from './fixtures/scripted-server.fixture.js';

const apiKey = 'csk_veryprivate0123456789';
const server = ScriptedServer.forSuite();
const client = new CreatorSearch({ apiKey, baseUrl: server.url, retryWaitMaxMs: 0, timeoutMs: 2_000 });

it.each<[string, number, object, object]>([
  [
    'InvalidRequestError',
    400,
    { details: { limit: ['limit must be ...'] } },
    { code: 'invalid_request', details: { limit: ['limit must be ...'] } },
  ],
  ['UnauthorizedError', 401, {}, { code: 'unauthorized' }],
  [
    'InsufficientCreditsError',
    402,
    { credits_needed: 3, credits_remaining: 1 },
    { code: 'insufficient_credits', creditsNeeded: 3, creditsRemaining: 1 },
  ],
  [
    'KeyLimitError',
    403,
    { key_limit: { limit: 10, spent: 9, resets_at: '2026-02-01T00:00:00.000Z' } },
    { code: 'key_limit_reached', limit: 10, spent: 9, resetsAt: '2026-02-01T00:00:00.000Z' },
  ],
  ['NotFoundError', 404, {}, { code: 'not_found' }],
  ['IdempotencyKeyReusedError', 422, {}, { code: 'idempotency_key_reused' }],
  ['UnexpectedResponseError', 405, {}, { code: 'unexpected_response' }],
])('an error of the API is thrown as it is, once: %s for %i', async (name, status, additions, fields) => {
  server.plays(answers(status, { error: 'This is why.', ...additions }, { 'x-request-id': 'of-the-server' }));
  const error = await failureOf(client.search());
  expect(error).toMatchObject({
    name,
    message: 'This is why.',
    status,
    requestId: 'of-the-server',
    attempts: 1,
    ...fields,
  });
  expect(String(error)).toBe(`${name}: This is why.`);
  expect(server.requests).toHaveLength(1);
});

describe('an answer that is not from this API', () => {
  it.each<[string, Behaviour, string]>([
    ['a page with 200', answersHtml(200), 'not JSON but text/html'],
    ['a page with 404, which says nothing about creators', answersHtml(404), 'not from this API'],
    ['the JSON of another API', answers(200, { status: 'ok' }), 'has no total, returned, creators'],
    ['a list', answers(200, []), 'broke off'],
    [
      'an answer without credits',
      answers(200, { total: 0, returned: 0, creators: [] }),
      'has no credits_used',
    ],
  ])('%s is said to be one', async (_what, behaviour, words) => {
    server.plays(behaviour);
    const error = await failureOf(client.search({}, { retries: 0 }));
    expect(error.message).toContain(words);
    expect(['UnexpectedResponseError', 'ConnectionError']).toContain(error.name);
  });

  it('a number that would be rounded is refused instead', async () => {
    server.plays((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ ...searchBody, creators: [1] }).replace('[1]', '[9007199254740993]'));
    });
    const error = await failureOf(client.search());
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', attempts: 1 });
    expect(error.message).toContain('too large to be exact');
  });
});
