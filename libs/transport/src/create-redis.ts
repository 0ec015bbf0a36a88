import { Redis, type RedisOptions } from 'ioredis';
import { type Logger } from '@app/platform';

const connectTimeoutMs = 2_000;
const reconnectDelayMsMax = 250;

/** `rediss:` speaks TLS; `redis+sentinel://host:port,host:port/master` asks the sentinels for the master. */
function endpoint(url: string): RedisOptions {
  const sentinel = /^redis\+sentinel:\/\/([^/]+)\/(.+)$/.exec(url);
  if (sentinel) {
    const [, hosts = '', name = ''] = sentinel;
    const sentinels = hosts.split(',').map((host) => {
      const [hostname = '', port = '26379'] = host.split(':');
      return { host: hostname, port: Number(port) };
    });
    return { sentinels, name };
  }
  const { protocol, hostname, port, username, password, pathname } = new URL(url);
  return {
    host: hostname,
    port: Number(port || 6379),
    ...(username ? { username: decodeURIComponent(username) } : {}),
    ...(password ? { password: decodeURIComponent(password) } : {}),
    db: Number(pathname.slice(1) || 0),
    ...(protocol === 'rediss:' ? { tls: {} } : {}),
  };
}

/**
 * The one place where a connection to Redis is made. A command fails at once while Redis is away, instead of waiting in a
 * queue that nobody bounds; the connection itself comes back by itself, within 250 ms of Redis.
 */
export function createRedis(url: string, logger: Logger, options: RedisOptions = {}): Redis {
  const redis = new Redis({
    ...endpoint(url),
    connectTimeout: connectTimeoutMs,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 25, reconnectDelayMsMax),
    ...options,
  });
  redis.on('error', (error: Error) => logger.debug({ err: error }, 'redis connection'));
  return redis;
}

/** Connects, and keeps trying until Redis answers or `signal` ends the wait. */
export async function connectRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') return;
  const ready = new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  if (redis.status === 'wait') redis.connect().catch(() => undefined);
  await ready;
}
