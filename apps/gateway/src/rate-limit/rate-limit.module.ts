import { CONFIG, LOGGER, type Logger } from '#platform';
import { connectRedis, createRedis, RedisHealth, type RedisConnection } from '#transport';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { CallLimits } from './call-limits.js';
import { NetworkLimits } from './network-limits.js';
import { RateLimiter } from './rate-limiter.js';
import { TokenBucket } from './token-bucket.js';
import { AbandonedCalls, FreeCallLimit } from './unpaid-calls.js';

interface RateLimitConfig {
  readonly SERVICE_REDIS_URL: string;
}

/** A fraction of a request's deadline, so that a call fails well before it when Redis hangs. */
const commandTimeoutMs = 1_500;

const REDIS = Symbol('REDIS');

@Injectable()
class RedisLifecycle implements OnApplicationShutdown {
  constructor(@Inject(REDIS) private readonly redis: RedisConnection) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

/** Limits per key, account and network across all gateways, counted in Redis over a dedicated connection. */
@Module({
  providers: [
    {
      provide: REDIS,
      inject: [CONFIG, LOGGER, RedisHealth],
      useFactory: async (config: RateLimitConfig, logger: Logger, health: RedisHealth) => {
        const redis = createRedis(config.SERVICE_REDIS_URL, logger, { commandTimeout: commandTimeoutMs });
        health.watch({
          get isReady() {
            return redis.status === 'ready';
          },
          ping: () => redis.ping(),
        });
        await connectRedis(redis, logger);
        return redis;
      },
    },
    { provide: RateLimiter, inject: [REDIS], useFactory: (redis: RedisConnection) => new RateLimiter(redis) },
    RedisLifecycle,
    AbandonedCalls,
    CallLimits,
    FreeCallLimit,
    NetworkLimits,
    TokenBucket,
  ],
  exports: [AbandonedCalls, CallLimits, FreeCallLimit, NetworkLimits, RateLimiter, TokenBucket],
})
export class RateLimitModule {}
