import { keyLimit, ServiceError } from '#contracts';
import { createLogger } from '#platform';
import { type RedisServer, startRedis } from '#dev';
import { connectRedis, createRedis, type RedisConnection } from '#transport';
import fc from 'fast-check';
import { RateLimiter } from './rate-limiter.js';
import { NetworkLimits } from './network-limits.js';
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
