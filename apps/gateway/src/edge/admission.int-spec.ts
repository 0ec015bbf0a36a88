import { once } from 'node:events';
import { authenticateKey } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { until } from '#testing';
import { goodKey, metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { limits } from '../limits.js';
import { TokenBucket } from '../rate-limit/token-bucket.js';

const api = PublicApiFixture.forSuite({ TRUST_PROXY: '1' });
let goodHashes: Set<string>;
let tokens: TokenBucket;
let network: string;
let networks = 0;

beforeEach(async () => {
  tokens = api.provider(TokenBucket);
  network = `192.0.2.${(networks += 1)}`;
  goodHashes = new Set([hashApiKey(api.key)]);
  api.services.on(authenticateKey, ({ key_hash }) => ({
    key: goodHashes.has(key_hash) ? goodKey : null,
  }));
  expect((await call(api.key)).status).toBe(200);
  api.services.received.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  api.disconnect();
});

const call = (key = generateApiKey(), address = network): Promise<Response> =>
  api.get('/creators/luna', { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } });
const lookUps = (): number => api.services.payloadsOf(authenticateKey).length;
const held = (): Promise<number> => metric('http_strangers_held_total{outcome=');

it('a made-up key waits once its network has no tokens, then gets a 503; known keys and other networks do not wait', async () => {
  const take = jest.spyOn(tokens, 'take').mockReturnValueOnce(null);
  const refused = call();
  await until(() => take.mock.calls.length > 0);
  expect((await call(api.key)).status).toBe(200);
  expect((await call(generateApiKey(), '198.51.100.1')).status).toBe(401);
  expect(lookUps()).toBe(1);
  const { status, headers } = await refused;
  expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'close']);
  expect(lookUps()).toBe(1);
});

it('a key that is new to this gateway waits for a token, and gives it back', async () => {
  tokens.take(network, limits.strangerRequests);
  const before = await held();
  const key = generateApiKey();
  goodHashes.add(hashApiKey(key));
  tokens.take(network, limits.strangerRequestsPerSecond);
  expect((await call(key)).status).toBe(200);
  expect(await held()).toBe(before + 1);
  expect(tokens.take(network, 1)).toBeLessThan(1_000);
});

it.each([
  ['a body of 64 KiB', ['Content-Length: 65536'], 2],
  ['a body in chunks', ['Transfer-Encoding: chunked'], 2 + limits.strangerCosts],
])('%s takes more tokens', async (_what, lines, price) => {
  const take = jest.spyOn(tokens, 'take');
  const socket = await api.open();
  const head = ['POST /api/public/v1/lookup HTTP/1.1', 'Host: a', `X-Forwarded-For: ${network}`, ...lines];
  socket.write([...head, '', ''].join('\r\n'));
  await once(socket, 'data');
  expect(take.mock.calls).toEqual([[network, price]]);
});
