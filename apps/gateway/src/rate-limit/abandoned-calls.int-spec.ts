import { keyLimit, ServiceError } from '@app/contracts';
import { createLogger } from '@app/platform';
import { type RedisServer, startRedis } from '@app/local-stack';
import { eventually } from '@app/testing';
import { connectRedis, createRedis, type RedisConnection } from '@app/transport';
import { RateLimiter } from './rate-limiter.js';
import { AbandonedCalls } from './unpaid-calls.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describe('AbandonedCalls', () => {
  let server: RedisServer;
  const connections: RedisConnection[] = [];

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    await server.stop();
  });

  async function gateway(): Promise<AbandonedCalls> {
    const redis = createRedis(server.url, logger);
    connections.push(redis);
    await connectRedis(redis, logger);
    return new AbandonedCalls(new RateLimiter(redis), logger);
  }

  /** The `Retry-After` of a refusal; `null` when there is none. */
  function refusalOf(calls: AbandonedCalls, keyId: string): string | null {
    const headers = new Map<string, string>();
    try {
      calls.assertWithin(keyId, { header: (name, value) => headers.set(name, value) });
      return null;
    } catch (error) {
      expect(error).toBeInstanceOf(ServiceError);
      expect(error).toMatchObject({ code: 'rate_limited' });
      return headers.get('retry-after') ?? '';
    }
  }

  it('counts those of all gateways, and refuses the key that has too many at each one where it goes on', async () => {
    const [one, two] = [await gateway(), await gateway()];
    for (let count = 0; count < keyLimit.calls / 2; count++) {
      one.record('key');
      two.record('key');
    }
    const refused = await eventually(() => {
      const seconds = [one, two].map((calls) => refusalOf(calls, 'key')).find((value) => value !== null);
      if (seconds === undefined) throw new Error('not refused');
      return Promise.resolve(seconds);
    });
    expect(Number(refused)).toBeGreaterThanOrEqual(1);
    expect(Number(refused)).toBeLessThanOrEqual(60);
    one.record('key');
    two.record('key');
    await eventually(() => {
      const all = [one, two].every((calls) => refusalOf(calls, 'key') !== null);
      return all ? Promise.resolve() : Promise.reject(new Error('one does not refuse'));
    });
    expect(refusalOf(one, 'another key')).toBeNull();
  });
});
