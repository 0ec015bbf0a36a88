import { type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { authenticateKey, lookUpAccounts } from '#contracts';
import { until } from '#testing';
import { OpenExchanges } from '../connections/exchange.js';
import { metric, PublicApiFixture } from '../../fixtures/public-api.fixture.js';

const deadlineMs = 800;
const bodyBytesMax = 65_536;
const body = JSON.stringify({ accounts: [{ url: 'https://x.com/mira' }, { url: 'https://x.com/p/é' }] });

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: {
    readonly error?: string;
    readonly details?: Record<string, string[]>;
    readonly results?: unknown;
  };
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

function head(lines: readonly string[] = [], length = Buffer.byteLength(body)): string {
  const common = ['Host: a', `Authorization: Bearer ${api.key}`, 'Content-Type: application/json'];
  const framing = lines.some((line) => line.startsWith('Transfer-Encoding'))
    ? []
    : [`Content-Length: ${length}`];
  return ['POST /api/public/v1/lookup HTTP/1.1', ...common, ...framing, ...lines, '', ''].join('\r\n');
}

/** Everything that is answered until there are so many answers, or the server hangs up. */
async function answers(socket: Socket, count: number): Promise<Answer[]> {
  let received = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received += String(chunk);
    if (received.split('HTTP/1.1 ').length > count && received.endsWith('}')) break;
  }
  return received
    .split('HTTP/1.1 ')
    .slice(1)
    .map((text) => {
      const [top = '', rest = '{}'] = text.split('\r\n\r\n');
      return { status: Number(top.slice(0, 3)), head: top, body: JSON.parse(rest) as Answer['body'] };
    });
}

async function post(text: string, lines: Record<string, string> = {}, path = '/lookup'): Promise<Response> {
  return api.get(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json', ...lines },
    body: text,
  });
}

const inFlight = (): Promise<number> => metric('http_requests_in_flight{api="public"');

/** No request in progress, none that waits, no slot taken, no exchange open. */
async function nothingHeld(): Promise<void> {
  await until(async () => (await inFlight()) === 0);
  await until(() => OpenExchanges.of(api.server).count === 0);
  expect([await metric('http_calls_in_work'), await metric('http_calls_waiting')]).toEqual([0, 0]);
}

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
    dripping.write(head([], 60_000));
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

describe('a client that leaves in the middle of its body', () => {
  it.each(['resets', 'closes', 'half-closes'] as const)(
    '%s its connection and leaves nothing behind',
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
});

describe('a body that is not as long as was said', () => {
  it('but longer is answered, and what is too much is not HTTP', async () => {
    const socket = await open();
    socket.write(`${head()}${body}}}}}\r\n\r\n`);
    expect(await answers(socket, 3)).toMatchObject([{ status: 200 }, { status: 400 }]);
  });

  it('but larger than may be is a 413 before any of it is read, in one length or in pieces', async () => {
    const socket = await open();
    socket.write(head([], bodyBytesMax + 1));
    const error = expect.stringContaining('65536 bytes') as string;
    expect(await answers(socket, 1)).toMatchObject([{ status: 413, body: { error } }]);
    const chunked = await open();
    chunked.write(head(['Transfer-Encoding: chunked']));
    const piece = `${(8_192).toString(16)}\r\n${' '.repeat(8_192)}\r\n`;
    chunked.write(piece.repeat(9));
    expect(await answers(chunked, 1)).toMatchObject([{ status: 413 }]);
    expect(api.services.received).toEqual([]);
  });
});

describe('what is no body for a look-up is refused by name', () => {
  it.each<[string, Record<string, string>, number]>([
    ['{"accounts":', {}, 400],
    ['', {}, 400],
    ['[]', {}, 400],
    [body, { 'content-type': 'text/plain' }, 415],
    [body, { 'content-type': 'application/jsonlines' }, 415],
    [body, { 'content-encoding': 'gzip' }, 415],
  ])('%j %j: %d', async (text, lines, status) => {
    const reply = await post(text, lines);
    const answer = (await reply.json()) as Answer['body'];
    expect(reply.status).toBe(status);
    expect(answer.error).toMatch(/^The (request|body)|^A compressed body/);
    if (status === 400) expect(Object.keys(answer.details ?? {})).toEqual(['body']);
    else expect(answer.error).toMatch(/application\/json|plain JSON/);
    expect(api.services.payloadsOf(lookUpAccounts)).toEqual([]);
  });
});
