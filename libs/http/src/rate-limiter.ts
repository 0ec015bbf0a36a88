import { keyLimit, type RateLimit, ServiceError } from '#contracts';
import { type RedisConnection } from '#transport';
import { type Result } from 'ioredis';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    admitCall(
      key: string,
      limit: number,
      windowMicroseconds: number,
    ): Result<[number, number, number], Context>;
  }
}

/**
 * An exact log of the last admissions, newest first, in microseconds of Redis time that never run backwards: a call is
 * admitted when the admission `limit` calls ago has left the window. A refused one leaves no trace. The reply: admitted
 * or not, admissions left now, and the time until one more is free.
 */
const admitCallScript = `
local limit = tonumber(ARGV[1])
local window = tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local log = redis.call('LRANGE', KEYS[1], 0, limit - 1)
if log[1] and tonumber(log[1]) > now then now = tonumber(log[1]) end
local used = 0
for i = 1, #log do
  if tonumber(log[i]) > now - window then used = i else break end
end
local oldest = used > 0 and tonumber(log[used]) or now
if used >= limit then return {0, 0, oldest + window - now} end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, limit - 1)
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return {1, limit - used - 1, oldest + window - now}`;

const microsecondsPerSecond = 1_000_000;

export interface LimitDecision {
  readonly admitted: boolean;
  /** Calls that would be admitted now, after this one. */
  readonly remaining: number;
  /** Whole seconds, rounded up, until one more is admitted than now. */
  readonly resetSeconds: number;
}

/** At most 60 calls of one key and group in any 60 seconds , or what another limit says, across all gateways. */
export class RateLimiter {
  /** `prefix`: of its keys in Redis. */
  constructor(
    private readonly redis: RedisConnection,
    private readonly prefix = 'rate-limit',
  ) {
    redis.defineCommand('admitCall', { numberOfKeys: 1, lua: admitCallScript });
  }

  /** Throws `unavailable` when Redis does not answer: a call that can't be counted is not run. */
  async admit(group: string, id: string, limit: RateLimit = keyLimit): Promise<LimitDecision> {
    const reply = await this.redis
      .admitCall(this.keyOf(group, id), limit.calls, limit.seconds * microsecondsPerSecond)
      .catch((cause: unknown) => {
        throw new ServiceError('unavailable', 'The service is temporarily unavailable; try again shortly.', {
          cause,
        });
      });
    const [admitted, remaining, resetMicroseconds] = reply;
    const resetSeconds = Math.max(1, Math.ceil(resetMicroseconds / microsecondsPerSecond));
    return { admitted: admitted === 1, remaining, resetSeconds };
  }

  /** Takes the newest admission back: it no longer counts. */
  async giveBack(group: string, id: string): Promise<void> {
    await this.redis.ltrim(this.keyOf(group, id), 1, -1);
  }

  private keyOf(group: string, id: string): string {
    return `${this.prefix}:${group}:{${id}}`;
  }
}
