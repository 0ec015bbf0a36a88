import { once } from 'node:events';
import { type Socket } from 'node:net';
import { lookUpAccounts } from '#contracts';
import { generateApiKey } from '#platform';
import { until } from '#testing';
import { metric, PublicApiFixture } from '../../fixtures/public-api.fixture.js';

const bodyBytesMax = 65_536;
const ofNetworkMax = 8 * 1_048_576;

const api = PublicApiFixture.forSuite();
beforeEach(() => {
  api.services.on(lookUpAccounts, () => ({ results: [{ slug: null }] }));
});
afterEach(async () => {
  api.disconnect();
  await until(async () => (await bodyBytes()) === 0);
});

async function send(text: string): Promise<Socket> {
  const socket = await api.open();
  socket.write(text);
  return socket;
}

async function statusOn(socket: Socket): Promise<number> {
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  return Number(chunk.toString('latin1').slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3));
}

function head(path: string, headers: readonly string[], length: number | null = bodyBytesMax): string {
  const framing = length === null ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [`POST ${path} HTTP/1.1`, 'Host: a', framing, ...headers, '', ''].join('\r\n');
}

const bodyBytes = (): Promise<number> => metric('http_body_bytes');

const lookup = '/api/public/v1/lookup';
const json = 'Content-Type: application/json';
const bearer = (key: string): string => `Authorization: Bearer ${key}`;

describe('what will be refused is refused before its body is read', () => {
  it.each<[string, string, () => string[], number]>([
    ['a look-up without a key', lookup, () => [json], 401],
    ['a look-up with a key that cannot be right', lookup, () => [json, bearer('csk_x')], 401],
    ['a message for models with such a key', '/mcp', () => [json, bearer('csk_x')], 401],
    ['a path that there is not', '/nowhere', () => [json, bearer(generateApiKey())], 404],
    ['a wrong method', '/api/public/v1/search', () => [json, bearer(generateApiKey())], 405],
  ])('%s', async (_name, path, headers, status) => {
    for (const length of [bodyBytesMax, null]) {
      const socket = await send(head(path, headers(), length));
      expect(await statusOn(socket)).toBe(status);
    }
    expect(api.services.received).toEqual([]);
    expect(await bodyBytes()).toBe(0);
  });

  it('a message for models without a key that is much longer than any', async () => {
    const announced = await send(head('/mcp', [json]));
    expect(await statusOn(announced)).toBe(413);
    const piece = `${(16_384).toString(16)}\r\n${' '.repeat(16_384)}\r\n`;
    const chunked = await send(head('/mcp', [json], null) + piece.repeat(2));
    expect(await statusOn(chunked)).toBe(413);
  });
});

it('bodies that never end give way to bodies that do, and are never more than a quarter of the budget', async () => {
  const text = head(lookup, [json, bearer(generateApiKey())]) + ' '.repeat(bodyBytesMax - 1);
  let ended = 0;
  for (let count = 0; count < 160; count += 1) {
    const socket = await send(text);
    socket.once('close', () => (ended += 1));
    socket.resume();
  }
  await until(() => ended > 30);
  expect(await bodyBytes()).toBeLessThanOrEqual(ofNetworkMax);
  const answer = await api.get('/lookup', {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' },
    body: '{"accounts":[{"url":"https://x.com/mira"}]}',
  });
  expect(answer.status).toBe(200);
});
