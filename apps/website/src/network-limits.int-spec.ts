import { createLogger } from '#platform';
import { type RedisServer, startRedis } from '#dev';
import { connectRedis, createRedis, type RedisConnection } from '#transport';
import { RateLimiter } from '#http';
import { NetworkLimits } from './network-limits.js';

const logger = createLogger({ service: 'test', level: 'silent', pretty: false });

let server: RedisServer;
let redis: RedisConnection;

beforeAll(async () => {
  server = await startRedis();
  redis = createRedis(server.url, logger);
  await connectRedis(redis, logger);
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushall());

describe('what networks may do', () => {
  async function admitted(addresses: readonly string[]): Promise<number> {
    const limits = new NetworkLimits(new RateLimiter(redis));
    const attempts = await Promise.allSettled(addresses.map((address) => limits.admit('sign_in', address)));
    return attempts.filter(({ status }) => status === 'fulfilled').length;
  }
  const many = (count: number, addressOf: (index: number) => string): string[] =>
    Array.from({ length: count }, (_, index) => addressOf(index));

  it('is counted by IPv4 address, /64, /56 and /48, the larger with higher limits', async () => {
    expect(await admitted(many(50, () => '192.0.2.1'))).toBe(30);
    expect(await admitted(many(50, (index) => `2001:db8:1:1::${index.toString(16)}`))).toBe(30);
    expect(await admitted(many(200, (index) => `2001:db8:2:${(index % 256).toString(16)}::1`))).toBe(120);
    expect(await admitted(many(600, (index) => `2001:db8:3:${(index * 64).toString(16)}::1`))).toBe(480);
    expect(await admitted(many(500, (index) => `2001:db8:${(16 + index).toString(16)}::1`))).toBe(500);
  });
});

describe('a network that reads pages of creators', () => {
  it('gets no more than 200 in a day, however slowly', async () => {
    const limits = new NetworkLimits(new RateLimiter(redis));
    let shown = 0;
    for (let minute = 0; minute < 30; minute += 1) {
      for (let page = 0; page < 10; page += 1) {
        await limits.admit('creator_page', '192.0.2.2').then(
          () => (shown += 1),
          (error: unknown) => expect(error).toMatchObject({ code: 'rate_limited' }),
        );
      }
      // As after a minute without a page.
      await redis.del('rate-limit:creator_page:60:{192.0.2.2}');
    }
    expect(shown).toBe(200);
  });
});
