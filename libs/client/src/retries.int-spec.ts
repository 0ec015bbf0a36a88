import { CreatorSearch } from './client.js';
import { ConnectionError, TimeoutError } from './errors.js';
import {
  answers,
  answersHtml,
  breaksOff,
  breaksOffUnnoticed,
  failureOf,
  hangsUp,
  neverAnswers,
  stallsInTheMiddle,
  succeeds,
} from './fixtures/behaviours.fixture.js';
import { type Behaviour, ScriptedServer } from './fixtures/scripted-server.fixture.js';

const server = ScriptedServer.forSuite();
const client = new CreatorSearch({ apiKey: 'csk_test', baseUrl: server.url });

const refused = (status: number, headers: Record<string, string> = {}): Behaviour =>
  answers(status, { error: `This is a ${status}.` }, headers);
const busy = refused(503, { 'retry-after': '0' });
const hurried = { retryWaitMaxMs: 0 };

const idempotencyKeys = () => server.requests.map(({ headers }) => headers['idempotency-key']);

describe('a call that fails temporarily', () => {
  it.each<[string, Behaviour]>([
    ['a connection that is closed before the answer', hangsUp],
    ['an answer that breaks off in the middle', breaksOff],
    ['an answer without a length that breaks off', breaksOffUnnoticed],
    ['503', refused(503)],
    ['a page of a proxy that finds no server', answersHtml(502)],
    ['429', refused(429, { 'retry-after': '0' })],
    ['409 while the first attempt is still in progress', refused(409, { 'retry-after': '0' })],
    ['408', refused(408)],
  ])('is sent again after %s', async (_what, fails) => {
    server.plays(fails, succeeds);
    const { credits } = await client.search({ q: 'yoga' }, hurried);
    expect(credits).toEqual({ used: 0, remaining: 41 });
    expect(server.requests.map(({ url }) => url)).toEqual(Array(2).fill('/api/public/v1/search?q=yoga'));
  });

  it('has the same idempotency key and request id in all attempts, and other ones than the next call', async () => {
    server.plays(hangsUp, breaksOff, busy, succeeds);
    await client.search({}, hurried);
    await client.creator('someone').catch(() => undefined);
    const ids = server.requests.map(({ headers }) => [headers['idempotency-key'], headers['x-request-id']]);
    expect(ids).toHaveLength(5);
    expect(ids.slice(0, 4)).toEqual(Array(4).fill(ids[0]));
    expect(new Set(ids.flat()).size).toBe(4);
  });

  it('has the idempotency key and request id of its caller when there are', async () => {
    server.plays(busy, succeeds);
    await client.search({}, { ...hurried, idempotencyKey: 'order-17', requestId: 'job:17' });
    expect(idempotencyKeys()).toEqual(['order-17', 'order-17']);
    expect(server.requests[1]?.headers['x-request-id']).toBe('job:17');
  });

  it('is given up before it would be paid twice, if it costs credits: after the first attempt and five lost repetitions', async () => {
    const many = { ...hurried, retries: 20 };
    const lost = [hangsUp, busy, hangsUp, busy, hangsUp, busy];
    const refusal = refused(429, { 'retry-after': '0' });
    server.plays(refusal, refusal, ...lost);
    expect(await failureOf(client.search({}, many))).toMatchObject({
      name: 'UnavailableError',
      message: 'This is a 503.',
      status: 503,
      attempts: 8,
      retryAfterSeconds: 0,
    });
    server.plays(...lost, ...lost, answers(200, { credits_remaining: 1, lots: [] }));
    await client.balance(many);
    // What is free has no key.
    expect(idempotencyKeys()).toEqual(Array(13).fill(undefined));
  });
});

describe('an answer that does not come', () => {
  it.each<[string, Behaviour]>([
    ['at all', neverAnswers],
    ['to its end', stallsInTheMiddle],
  ])('%s is a time-out, and asked for again', async (_what, stalls) => {
    server.plays(stalls, succeeds);
    expect((await client.search({}, { ...hurried, timeoutMs: 300 })).credits.remaining).toBe(41);
    server.plays(stalls);
    const error = await failureOf(client.search({}, { timeoutMs: 1, retries: 0 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toBe(`No complete response from ${server.url} within 1 ms.`);
    expect(error).toMatchObject({ code: 'timed_out', status: null });
  });

  it('is a time-out with a fetch that takes no notice of its signal too', async () => {
    const deaf = new CreatorSearch({
      apiKey: 'csk_test',
      baseUrl: server.url,
      fetch: () => new Promise(() => undefined),
      timeoutMs: 20,
      retries: 1,
      retryWaitMaxMs: 0,
    });
    expect(await failureOf(deaf.search())).toMatchObject({ name: 'TimeoutError', attempts: 2 });
  });
});

describe('an abort', () => {
  const reason = new Error('the user went away');

  it('ends a call that waits for its answer at once, with its reason', async () => {
    const abort = new AbortController();
    server.plays(() => abort.abort(reason));
    await expect(client.search({}, { signal: abort.signal })).rejects.toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('ends a wait between attempts at once', async () => {
    const abort = new AbortController();
    server.plays((response, request) => {
      refused(429, { 'retry-after': '50' })(response, request);
      response.on('close', () => setTimeout(() => abort.abort(reason), 50));
    });
    const startedAt = performance.now();
    await expect(client.search({}, { signal: abort.signal })).rejects.toBe(reason);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(server.requests).toHaveLength(1);
  });
});
