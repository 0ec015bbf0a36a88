import { type RedisServer, startRedis } from '@app/local-stack';
import { createLogger } from '@app/platform';
import { connectRedis, createRedis, type RedisConnection } from '@app/transport';
import { NetworkLimits } from './network-limits.js';
import { RateLimiter } from './rate-limiter.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

describe('what networks may do', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  let limits: NetworkLimits;
  beforeAll(async () => {
    server = await startRedis();
    redis = createRedis(server.url, logger);
    await connectRedis(redis, logger);
    limits = new NetworkLimits(new RateLimiter(redis));
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });
  beforeEach(() => redis.flushall());

  async function admitted(addresses: readonly string[]): Promise<number> {
    const attempts = await Promise.allSettled(addresses.map((address) => limits.admit('sign_in', address)));
    return attempts.filter(({ status }) => status === 'fulfilled').length;
  }
  const many = (addressOf: (index: number) => string): string[] =>
    Array.from({ length: 1_000 }, (_, index) => addressOf(index));

  it('is counted by IPv4 address, /64, /56 and /48, the larger with higher limits', async () => {
    expect(await admitted(many(() => '192.0.2.1'))).toBe(30);
    expect(await admitted(many((index) => `2001:db8:1:1::${index.toString(16)}`))).toBe(30);
    expect(await admitted(many((index) => `2001:db8:2:${(index % 256).toString(16)}::1`))).toBe(120);
    expect(await admitted(many((index) => `2001:db8:3:${(index * 64).toString(16)}::1`))).toBe(480);
    expect(await admitted(many((index) => `2001:db8:${(16 + index).toString(16)}::1`))).toBe(1_000);
  });
});
