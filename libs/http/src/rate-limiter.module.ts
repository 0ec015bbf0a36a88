import { CONFIG, LOGGER, type Logger } from '#platform';
import { connectRedis, createRedis, RedisHealth, type RedisConnection } from '#transport';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.js';

interface RateLimiterConfig {
  readonly SERVICE_REDIS_URL: string;
}

/** A fraction of a request's deadline, so that a call fails well before it when Redis hangs. */
const commandTimeoutMs = 1_500;

/** Injection token of the connection in which limits are counted. */
export const LIMITS_REDIS = Symbol('LIMITS_REDIS');

@Injectable()
class RedisLifecycle implements OnApplicationShutdown {
  constructor(@Inject(LIMITS_REDIS) private readonly redis: RedisConnection) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}

/** Counts in Redis, for all replicas together, over a connection of its own. */
@Module({
  providers: [
    {
      provide: LIMITS_REDIS,
      inject: [CONFIG, LOGGER, RedisHealth],
      useFactory: async (config: RateLimiterConfig, logger: Logger, health: RedisHealth) => {
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
    {
      provide: RateLimiter,
      inject: [LIMITS_REDIS],
      useFactory: (redis: RedisConnection) => new RateLimiter(redis),
    },
    RedisLifecycle,
  ],
  exports: [LIMITS_REDIS, RateLimiter],
})
export class RateLimiterModule {}
