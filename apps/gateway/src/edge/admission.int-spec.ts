import { type Socket } from 'node:net';
import { authenticateKeys } from '#contracts';
import { generateApiKey, hashApiKey } from '#platform';
import { until } from '#testing';
import { metric, PublicApiFixture } from '../fixtures/public-api.fixture.js';
import { limits } from '../limits.js';
import { OpenExchanges } from './connections/exchange.js';

jest.setTimeout(60_000);

const goodKey = { key_id: 'key-1', account_id: 'account-1', prefix: 'csk_123456' };
const attackers = 32;
const attacker = 'X-Forwarded-For: 192.0.2.1';

describe('a flood of requests with made-up keys', () => {
  const api = PublicApiFixture.forSuite({ TRUST_PROXY: '1' });
  let startedAt: number;
  let lookUps: number;
  let goodHash: string;

  beforeEach(async () => {
    expect((await api.get('/creators/luna')).status).toBe(200);
    lookUps = 0;
    goodHash = hashApiKey(api.key);
    api.services.on(authenticateKeys, ({ key_hashes }) => {
      lookUps += 1;
      return { keys: key_hashes.map((hash) => (hash === goodHash ? goodKey : null)) };
    });
    startedAt = performance.now();
    for (let count = 0; count < attackers; count += 1) attack(await api.open());
    await until(async () => (await metric('http_strangers_held_total{outcome=')) > attackers, 30_000);
  });
  afterEach(() => api.disconnect());

  /** Asks again as soon as it is answered. */
  function attack(socket: Socket): void {
    const ask = (): void => {
      const head = ['GET /api/public/v1/creators/luna HTTP/1.1', 'Host: a', attacker];
      socket.write([...head, `Authorization: Bearer ${generateApiKey()}`, '', ''].join('\r\n'));
    };
    socket.on('data', ask);
    ask();
  }

  async function statusOf(key: string, address: string): Promise<number> {
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
    return (await api.get('/creators/luna', { headers })).status;
  }

  it('waits once its network has had its share; known keys from there, and other networks, do not', async () => {
    const key = generateApiKey();
    for (let call = 0; call < 10; call += 1) {
      const before = performance.now();
      expect(await statusOf(api.key, '192.0.2.1')).toBe(200);
      expect(await statusOf(generateApiKey(), '192.0.2.2')).toBe(401);
      expect(performance.now() - before).toBeLessThan(1_000);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const others = 20;
    expect(lookUps).toBeLessThanOrEqual(
      limits.strangerRequests + (seconds + 1) * limits.strangerRequestsPerSecond + others,
    );
    goodHash = hashApiKey(key);
    expect(await statusOf(key, '192.0.2.1')).toBe(200);
  });

  it('is gone when its clients are', async () => {
    api.disconnect();
    await until(() => OpenExchanges.of(api.server).count === 0);
  });
});

describe('requests of a network whose keys are good', () => {
  const api = PublicApiFixture.forSuite();

  it('use up nothing, also when this gateway does not know the keys yet', async () => {
    api.services.on(authenticateKeys, ({ key_hashes }) => ({ keys: key_hashes.map(() => goodKey) }));
    const before = await metric('http_strangers_held_total{outcome=');
    for (let round = 0; round < 12; round += 1) {
      const calls = Array.from({ length: 50 }, async () => {
        const headers = { authorization: `Bearer ${generateApiKey()}` };
        const response = await api.get('/filters', { headers });
        await response.arrayBuffer();
      });
      await Promise.all(calls);
    }
    expect(await metric('http_strangers_held_total{outcome=')).toBe(before);
  });
});
