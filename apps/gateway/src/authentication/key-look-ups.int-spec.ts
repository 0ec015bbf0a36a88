import { authenticateKeys } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { PublicApiFixture } from '../fixtures/public-api.fixture.js';

const goodKey = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456' };

const api = PublicApiFixture.forSuite({ TRUST_PROXY: '1' });
let messages: number;
let startedAt: number;
let goodHashes: Set<string>;

beforeEach(() => {
  messages = 0;
  startedAt = performance.now();
  goodHashes = new Set();
  api.services.on(authenticateKeys, ({ key_hashes }) => {
    messages += 1;
    return { keys: key_hashes.map((hash) => (goodHashes.has(hash) ? goodKey : null)) };
  });
});

/** 20 and one more each second right away, then one every 50 ms for all. */
function messagesMax(): number {
  const elapsedMs = performance.now() - startedAt;
  return Math.ceil(20 + elapsedMs / 1_000 + elapsedMs / 50);
}

async function statusOf(key: string, address: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
  const response = await api.get('/creators/luna', { headers });
  await response.arrayBuffer();
  return response.status;
}

async function flood(address: string, count: number): Promise<number[]> {
  // Some proxies add the port of the connection, another one each time.
  const from = (number: number): string => (number % 2 === 0 ? address : `${address}:${20_000 + number}`);
  return Promise.all(Array.from({ length: count }, (_, number) => statusOf(generateApiKey(), from(number))));
}

function newGoodKey(): string {
  const key = generateApiKey();
  goodHashes.add(hashApiKey(key));
  return key;
}

it('400 unknown keys from one address are all refused, with only a few messages to billing', async () => {
  expect(new Set(await flood('192.0.2.1', 400))).toEqual(new Set([401]));
  expect(messages).toBeLessThanOrEqual(messagesMax());
});

it('a good key from such an address is accepted, whether this gateway knows it or not', async () => {
  const [seen, fresh] = [newGoodKey(), newGoodKey()];
  expect(await statusOf(seen, '192.0.2.2')).toBe(200);
  await flood('192.0.2.2', 30);
  const [flooded, ...statuses] = await Promise.all([
    flood('192.0.2.2', 100),
    statusOf(fresh, '192.0.2.2'),
    statusOf(seen, '192.0.2.2'),
  ]);
  expect(new Set(flooded)).toEqual(new Set([401]));
  expect(statuses).toEqual([200, 200]);
});

it('keys from other addresses are looked up as usual', async () => {
  await flood('192.0.2.3', 30);
  messages = 0;
  await flood('192.0.2.4', 15);
  expect(messages).toBe(15);
});
