import { keyLimit, ServiceError } from '#contracts';
import { createLogger } from '#platform';
import { type RedisServer, startRedis } from '#dev';
import { connectRedis, createRedis, type RedisConnection } from '#transport';
import { RateLimiter } from '#http';
import { until } from '#testing';
import { AbandonedCalls } from './unpaid-calls.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

let server: RedisServer;
let redis: RedisConnection;
/** The connection of another gateway. */
let other: RedisConnection;

beforeAll(async () => {
  server = await startRedis();
  [redis, other] = [createRedis(server.url, logger), createRedis(server.url, logger)];
  await Promise.all([connectRedis(redis, logger), connectRedis(other, logger)]);
});
afterAll(async () => {
  redis.disconnect();
  other.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

describe('AbandonedCalls', () => {
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
    const gateway = (each: RedisConnection) => new AbandonedCalls(new RateLimiter(each), logger);
    const [one, two] = [gateway(redis), gateway(other)];
    for (let count = 0; count < keyLimit.calls / 2; count++) {
      one.record('key');
      two.record('key');
    }
    const refusals = (): string[] => [one, two].flatMap((calls) => refusalOf(calls, 'key') ?? []);
    await until(() => refusals().length > 0);
    expect(Number(refusals()[0])).toBeGreaterThanOrEqual(1);
    expect(Number(refusals()[0])).toBeLessThanOrEqual(60);
    one.record('key');
    two.record('key');
    await until(() => refusals().length === 2);
    expect(refusalOf(one, 'another key')).toBeNull();
  });
});
