import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { authenticateKey, lookUpAccounts } from '#contracts';
import { generateApiKey } from '#platform';
import { until } from '#testing';
import { OpenExchanges } from '../connections/exchange.js';
import { metric, PublicApiFixture } from '../../fixtures/public-api.fixture.js';

const deadlineMs = 800;
const bodyBytesMax = 65_536;
const body = JSON.stringify({ accounts: [{ url: 'https://x.com/mira' }, { url: 'https://x.com/p/é' }] });

interface Answer {
  readonly status: number;
  readonly body: { readonly error?: string; readonly results?: unknown };
}

const api = PublicApiFixture.forSuite({ REQUEST_DEADLINE_MS: String(deadlineMs) });
beforeEach(() => {
  api.services.on(lookUpAccounts, ({ accounts }) => ({
    results: accounts.map(({ url = '' }, index) =>
      index === 1 ? { slug: null, details: { url: [`url ${url} is none`] } } : { slug: 'mira-solenne' },
    ),
  }));
});
afterEach(async () => {
  api.disconnect();
  await nothingHeld();
});

const open = (): Promise<Socket> => api.open({ allowHalfOpen: true });

const lookup = '/api/public/v1/lookup';
const bearer = (key: string): string => `Authorization: Bearer ${key}`;

/** The head of a request with a body of so many bytes; `null`: in chunks. */
function head(
  length: number | null = Buffer.byteLength(body),
  path = lookup,
  lines: readonly string[] = [bearer(api.key)],
): string {
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  const common = ['Host: a', 'Content-Type: application/json', framing];
  return [`POST ${path} HTTP/1.1`, ...common, ...lines, '', ''].join('\r\n');
}

const chunks = (count: number, bytes = 8_192): string =>
  `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count);

async function answers(socket: Socket, count: number): Promise<Answer[]> {
  return (await api.answers(socket, count)).map((text) => {
    const body = JSON.parse(text.split('\r\n\r\n')[1] ?? '{}') as Answer['body'];
    return { status: Number(text.slice(0, 3)), body };
  });
}

const inFlight = (): Promise<number> => metric('http_requests_in_flight{api="public"');

const bodyBytes = (): Promise<number> => metric('http_body_bytes');

/** No request in progress, none that waits, no slot taken, no exchange open, no bytes of a body. */
async function nothingHeld(): Promise<void> {
  await until(async () => (await inFlight()) === 0);
  await until(() => OpenExchanges.of(api.server).count === 0);
  expect([await metric('http_calls_in_work'), await metric('http_calls_waiting')]).toEqual([0, 0]);
  await until(async () => (await bodyBytes()) === 0);
}

it('in single bytes, behind a request that is in progress, arrives whole', async () => {
  let finishFirst: (value: { results: [] }) => void = () => undefined;
  const first = new Promise<{ results: [] }>((resolve) => (finishFirst = resolve));
  const { length: before } = api.services.payloadsOf(lookUpAccounts);
  api.services.on(lookUpAccounts, ({ accounts: { length } }) => {
    const isFirst = api.services.payloadsOf(lookUpAccounts).length === before + 1;
    return isFirst ? first : { results: Array.from({ length }, () => ({ slug: 'mira-solenne' })) };
  });
  const pieces = [...Buffer.from(body, 'utf8')].map((byte) => Buffer.of(0x31, 13, 10, byte, 13, 10));
  const socket = await open();
  socket.write(Buffer.concat([Buffer.from(head() + body + head(null)), ...pieces.slice(0, 50)]));
  await until(() => api.services.payloadsOf(lookUpAccounts).length === before + 1);
  socket.write(Buffer.concat([...pieces.slice(50), Buffer.from('0\r\n\r\n')]));
  finishFirst({ results: [] });
  const [, second] = await answers(socket, 2);
  expect(second).toMatchObject({ status: 200, body: { results: [{ slug: 'mira-solenne' }, {}] } });
});

describe('a body that is slow', () => {
  it('holds no slot and causes no message until it has arrived, and its time does not count', async () => {
    const socket = await open();
    socket.write(head() + body.slice(0, 10));
    await until(async () => (await inFlight()) === 1);
    expect(await metric('http_calls_in_work')).toBe(0);
    await pause(deadlineMs * 1.5);
    expect(api.services.payloadsOf(authenticateKey)).toEqual([]);
    socket.write(body.slice(10, -2));
    socket.write(body.slice(-2));
    const results = [{ slug: 'mira-solenne' }, { slug: null, problem: 'url https://x.com/p/é is none' }];
    expect(await answers(socket, 1)).toMatchObject([{ status: 200, body: { results } }]);
  });

  it('is given up after the time of a request, with its connection, even if it keeps coming', async () => {
    const { requestTimeout, headersTimeout } = api.server;
    const limits = { requestTimeout, headersTimeout };
    expect(requestTimeout).toBe(10_000);
    Object.assign(api.server, { requestTimeout: 1_000, headersTimeout: 1_000 });
    const silent = await open();
    silent.write(head() + body.slice(0, 10));
    const dripping = await open();
    dripping.write(head(60_000));
    const drip = setInterval(() => dripping.write(' '), 100);
    try {
      for (const socket of [silent, dripping]) {
        const error = expect.stringMatching(/in time/) as string;
        expect(await answers(socket, 1)).toMatchObject([{ status: 408, body: { error } }]);
      }
      await nothingHeld();
      await until(() => dripping.destroyed, 5_000);
    } finally {
      clearInterval(drip);
      Object.assign(api.server, limits);
    }
    expect(api.services.received).toEqual([]);
  });
});

it.each(['resets', 'closes', 'half-closes'] as const)(
  'a client that %s its connection in the middle of its body leaves nothing behind',
  async (way) => {
    const socket = await open();
    socket.write(head() + body.slice(0, 10));
    await until(async () => (await inFlight()) === 1);
    if (way === 'resets') socket.resetAndDestroy();
    else if (way === 'closes') socket.destroy();
    else {
      socket.end();
      expect(await answers(socket, 2)).toMatchObject([{ status: 400 }]);
    }
    await nothingHeld();
    expect(api.services.received).toEqual([]);
  },
);

describe('what will be refused is refused before its body is read', () => {
  async function statusAfter(text: string): Promise<number> {
    const socket = await open();
    socket.write(text);
    const [answer] = await answers(socket, 1);
    return answer?.status ?? 0;
  }

  it.each<[string, string, () => string[], number]>([
    ['a look-up without a key', lookup, () => [], 401],
    ['a look-up with a key that cannot be right', lookup, () => [bearer('csk_x')], 401],
    ['a message for models with such a key', '/mcp', () => [bearer('csk_x')], 401],
    ['a path that there is not', '/nowhere', () => [bearer(generateApiKey())], 404],
    ['a wrong method', '/api/public/v1/search', () => [bearer(generateApiKey())], 405],
  ])('%s', async (_name, path, lines, status) => {
    for (const length of [bodyBytesMax, null]) {
      expect(await statusAfter(head(length, path, lines()))).toBe(status);
    }
    expect(api.services.received).toEqual([]);
    expect(await bodyBytes()).toBe(0);
  });

  it('a body that is larger than may be, in one length or in pieces; without a key much less', async () => {
    expect(await statusAfter(head(bodyBytesMax + 1))).toBe(413);
    expect(await statusAfter(head(null) + chunks(9))).toBe(413);
    expect(await statusAfter(head(bodyBytesMax, '/mcp', []))).toBe(413);
    expect(await statusAfter(head(null, '/mcp', []) + chunks(4))).toBe(413);
    expect(api.services.received).toEqual([]);
  });
});
