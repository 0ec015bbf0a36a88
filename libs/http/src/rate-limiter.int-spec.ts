import { keyLimit } from '#contracts';
import { createLogger } from '#platform';
import { type RedisServer, startRedis } from '#dev';
import { connectRedis, createRedis, type RedisConnection } from '#transport';
import fc from 'fast-check';
import { RateLimiter } from './rate-limiter.js';

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

describe('RateLimiter', () => {
  it('admits 60 of 200 at once, whichever of two gateways they come to, and says when the next is free', async () => {
    const [one, two] = [new RateLimiter(redis), new RateLimiter(other)];
    const attempts = Array.from({ length: 200 }, (_, index) =>
      (index % 2 ? one : two).admit('search', 'key'),
    );
    const refused = (await Promise.all(attempts)).filter(({ admitted }) => !admitted);
    expect(refused).toHaveLength(200 - keyLimit.calls);
    for (const { remaining, resetSeconds } of refused) {
      expect(remaining).toBe(0);
      expect(resetSeconds).toBeGreaterThanOrEqual(59);
      expect(resetSeconds).toBeLessThanOrEqual(60);
    }
    // Only the admitted ones are in the log: asking again does not extend the wait.
    expect(await redis.llen('rate-limit:search:{key}')).toBe(keyLimit.calls);
  });

  it('decides like an exact log over any window, with admissions at any times', async () => {
    const windowSeconds = 60;
    const limiter = new RateLimiter(redis);
    const history = fc.array(fc.integer({ min: 1, max: 120_000_000 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(history, async (ages) => {
        await redis.flushall();
        const [seconds, microseconds] = await redis.time();
        const now = Number(seconds) * 1_000_000 + Number(microseconds);
        const log = ages
          .map((age) => now - age)
          .sort((a, b) => b - a)
          .slice(0, keyLimit.calls);
        if (log.length > 0) await redis.rpush('rate-limit:search:{key}', ...log.map(String));
        // An admission within a second of leaving the window may have left it by the time the script runs.
        const edge = (windowSeconds - 1) * 1_000_000;
        fc.pre(!ages.some((age) => age > edge && age <= windowSeconds * 1_000_000));
        const used = log.filter((at) => at > now - edge).length;
        const admission = await limiter.admit('search', 'key');
        expect(admission.admitted).toBe(used < keyLimit.calls);
        expect(admission.remaining).toBe(Math.max(0, keyLimit.calls - used - 1));
      }),
      { numRuns: 40 },
    );
  });

  it('a clock that steps back neither admits more nor forgets', async () => {
    const limiter = new RateLimiter(redis);
    const [seconds] = await redis.time();
    const ahead = (Number(seconds) + 30) * 1_000_000;
    await redis.rpush(
      'rate-limit:search:{key}',
      ...Array.from({ length: keyLimit.calls }, () => String(ahead)),
    );
    const admission = await limiter.admit('search', 'key');
    expect(admission).toMatchObject({ admitted: false, resetSeconds: 60 });
  });

  it('leaves nothing behind once the window is over', async () => {
    await new RateLimiter(redis).admit('search', 'key');
    const ttl = await redis.pttl('rate-limit:search:{key}');
    expect(ttl).toBeGreaterThan(59_000);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });
});
