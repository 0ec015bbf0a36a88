import { type EventEmitter, once } from 'node:events';
import { type Logger, parseRedisUrl, withRetries, type RedisAddress } from '@app/platform';
import { Cluster, Redis, type RedisCommander } from 'ioredis';
import { startHeartbeat } from './heartbeat.js';
import { lastReason, logOutages, noteReason } from './redis-outages.js';

/** A server, the master that sentinels name, or a cluster: commands and events are the same. */
export interface RedisConnection extends RedisCommander, EventEmitter {
  readonly status: string;
  connect(): Promise<void>;
  disconnect(): void;
  defineCommand(name: string, definition: { lua: string; numberOfKeys: number }): void;
}

interface ConnectionOptions {
  /** A command without a reply for so long fails, ms. */
  readonly commandTimeout?: number;
}

const connectTimeoutMs = 2_000;
const connectPatienceMs = 60_000;
const askAgainMs = 1_000;
/** How long a server may take to end a connection that is ended here. */
const disconnectTimeoutMs = 500;
const reconnectDelayMsMax = 250;
/** A command that finds its node gone is tried again as often, 100 ms apart, and follows as many moved slots. */
const clusterRetries = 5;
/** A blocked read of a node that hangs is given up so long after its time, and goes to the node that follows. */
const blockedGraceMs = 1_000;
/** A node that hangs and is replaced by its replica closes no connection: only asking for the slots shows it. */
const slotsRefreshMs = 2_000;

/**
 * The one place where a connection to Redis is made. A command fails at once while Redis is away, instead of waiting in a
 * queue that nobody bounds; the connection itself comes back by itself, within 250 ms of Redis. Throws for a URL that is
 * none of `parseRedisUrl`.
 */
export function createRedis(url: string, logger: Logger, options: ConnectionOptions = {}): RedisConnection {
  const address = parseRedisUrl(url);
  if (!address) throw new Error('not the URL of a Redis');
  const redis =
    address.kind === 'cluster' ? connectCluster(address, options) : connectServer(address, options);
  logOutages(redis, address, logger);
  if (redis instanceof Redis) startHeartbeat(redis, (reason) => noteReason(redis, reason));
  for (const event of ['error', 'node error']) {
    redis.on(event, (error: Error) => logger.debug({ err: error }, 'redis connection'));
  }
  return redis;
}

/** What holds for every connection, one to a node of a cluster too. */
function commonOptions({ credentials, tls }: RedisAddress, { commandTimeout }: ConnectionOptions) {
  return {
    ...(commandTimeout === undefined ? {} : { commandTimeout }),
    ...credentials,
    ...(tls ? { tls: {} } : {}),
    connectTimeout: connectTimeoutMs,
    disconnectTimeout: disconnectTimeoutMs,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
  };
}

function connectServer(address: RedisAddress, options: ConnectionOptions): Redis {
  const { kind, hosts, path, tls, sentinelCredentials } = address;
  const [server] = hosts;
  const { username, password } = sentinelCredentials;
  const place =
    kind === 'sentinel'
      ? {
          sentinels: [...hosts],
          name: path,
          enableTLSForSentinelMode: tls,
          ...(username ? { sentinelUsername: username } : {}),
          ...(password ? { sentinelPassword: password } : {}),
        }
      : { ...server, db: Number(path) };
  return new Redis({
    ...commonOptions(address, options),
    ...place,
    enableOfflineQueue: false,
    lazyConnect: true,
    retryStrategy: reconnectDelay,
    sentinelRetryStrategy: reconnectDelay,
  });
}

function connectCluster(address: RedisAddress, options: ConnectionOptions): Cluster {
  const cluster = new Cluster([...address.hosts], {
    redisOptions: {
      ...commonOptions(address, options),
      blockingTimeout: blockedGraceMs,
      blockingTimeoutGrace: blockedGraceMs,
    },
    // A certificate is issued for a name, not for what it resolves to.
    ...(address.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    enableOfflineQueue: false,
    lazyConnect: true,
    shardedSubscribers: true,
    maxRedirections: clusterRetries,
    clusterRetryStrategy: reconnectDelay,
  });
  // Its own `slotsRefreshInterval` starts again after the end, when a refresh was under way then.
  const refresh = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  }, slotsRefreshMs).unref();
  cluster.once('end', () => clearInterval(refresh));
  return cluster;
}

function reconnectDelay(attempt: number): number {
  return Math.min(attempt * 25, reconnectDelayMsMax);
}

/** Connects; waits for a Redis that is merely late, and throws `StartError` after a minute without one. */
export async function connectRedis(redis: RedisConnection, logger: Logger): Promise<void> {
  if (redis.status === 'wait') redis.connect().catch(() => undefined);
  // The outage is in the log by itself, once for all connections.
  const silent = logger.child({}, { level: 'silent' });
  await withRetries({ what: 'Redis', logger: silent, patienceMs: connectPatienceMs }, () =>
    untilReady(redis),
  );
}

/** Throws when the connection does not stand within a second. */
async function untilReady(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return;
  const signal = AbortSignal.timeout(askAgainMs);
  await once(redis, 'ready', { signal }).catch(() => {
    throw new Error(lastReason(redis));
  });
}
