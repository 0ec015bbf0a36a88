import { CONFIG, LOGGER, type Logger } from '#platform';
import { connectRedis, createRedis, RedisHealth, type RedisConnection } from '#transport';
import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RateLimiter } from './rate-limiter.js';

interface RateLimiterConfig {
  readonly SERVICE_REDIS_URL: string;
}

/** A fraction of a request's deadline, so that a call fails well before it when Redis hangs. */
const commandTimeoutMs = 1_500;

/** Injection token of the connection in which limits are counted. */
export const LIMITS_REDIS = Symbol('LIMITS_REDIS');

/** Counts in Redis, for all replicas together, over a connection of its own. */
@Module({})
export class RateLimiterModule implements OnApplicationShutdown {
  /** `prefix`: of its keys, all that the program's user of Redis may count in. */
  static forRoot(prefix: string): DynamicModule {
    const redis = {
      provide: LIMITS_REDIS,
      inject: [CONFIG, LOGGER, RedisHealth],
      useFactory: async (config: RateLimiterConfig, logger: Logger, health: RedisHealth) => {
        const connection = createRedis(config.SERVICE_REDIS_URL, logger, {
          commandTimeout: commandTimeoutMs,
        });
        health.watch(
          () => connection.status === 'ready',
          () => connection.ping(),
        );
        await connectRedis(connection, logger);
        return connection;
      },
    };
    const limiter = {
      provide: RateLimiter,
      inject: [LIMITS_REDIS],
      useFactory: (connection: RedisConnection) => new RateLimiter(connection, prefix),
    };
    return {
      module: RateLimiterModule,
      providers: [redis, limiter],
      exports: [LIMITS_REDIS, RateLimiter],
    };
  }
  constructor(@Inject(LIMITS_REDIS) private readonly redis: RedisConnection) {}

  onApplicationShutdown(): void {
    this.redis.disconnect();
  }
}
