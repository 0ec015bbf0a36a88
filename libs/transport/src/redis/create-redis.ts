import { type EventEmitter, once } from 'node:events';
import { type Logger, parseRedisUrl, type RedisAddress, withRetries } from '#platform';
import { Cluster, Redis, type RedisCommander } from 'ioredis';
import { lastReason, logOutages, recordReason } from './redis-outages.js';

/** A server, a master found through sentinels, or a cluster, with the same commands and events. */
export interface RedisConnection extends RedisCommander, EventEmitter {
  readonly status: string;
  connect(): Promise<void>;
  disconnect(): void;
  defineCommand(name: string, definition: { lua: string; numberOfKeys: number }): void;
}

interface ConnectionOptions {
  /** Time without a reply after which a command fails, ms. */
  readonly commandTimeout?: number;
}

const connectTimeoutMs = 2_000;
const readyTimeoutMs = 60_000;
const askAgainMs = 1_000;
/** How long the server may take to close a connection closed here. */
const disconnectTimeoutMs = 500;
const reconnectDelayMsMax = 250;
/** How often a command follows a moved slot, or waits 100 ms for a slot that no node serves at the moment. */
const clusterRedirections = 5;
/** How long after its time-out a blocking read of a hanging node is abandoned and sent to the node's successor. */
const blockedGraceMs = 1_000;
/** A hanging node that was replaced by its replica closes no connection: only refreshing the slots reveals it. */
const slotsRefreshMs = 2_000;

/**
 * The only place that creates connections to Redis. While Redis is unreachable, a command fails at once instead of
 * waiting in an unbounded queue; the connection recovers within 250 ms of Redis. Throws for a URL that `parseRedisUrl`
 * refuses.
 */
export function createRedis(url: string, logger: Logger, options: ConnectionOptions = {}): RedisConnection {
  const address = parseRedisUrl(url);
  if (!address) throw new Error('not the URL of a Redis');
  const redis =
    address.kind === 'cluster' ? connectCluster(address, options) : connectServer(address, options);
  logOutages(redis, address, logger);
  if (redis instanceof Redis) startHeartbeat(redis, (reason) => recordReason(redis, reason));
  for (const event of ['error', 'node error']) {
    redis.on(event, (error: Error) => logger.debug({ err: error }, 'redis connection'));
  }
  return redis;
}

/** Options of every connection, also of one to a cluster node. */
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
    maxRedirections: clusterRedirections,
    // As on a single server, a node may have run a command before its connection closed, and would run it twice.
    retryDelayOnFailover: 0,
    clusterRetryStrategy: reconnectDelay,
  });
  // ioredis' own `slotsRefreshInterval` restarts after the end when a refresh was in progress.
  const refresh = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache();
  }, slotsRefreshMs).unref();
  cluster.once('end', () => clearInterval(refresh));
  return cluster;
}

function reconnectDelay(attempt: number): number {
  return Math.min(attempt * 25, reconnectDelayMsMax);
}

/** Connects. Waits up to a minute for a Redis that is not up yet, then throws `StartError`. */
export async function connectRedis(redis: RedisConnection, logger: Logger): Promise<void> {
  if (redis.status === 'wait') redis.connect().catch(() => undefined);
  // The outage is logged elsewhere, once for all connections.
  const silent = logger.child({}, { level: 'silent' });
  await withRetries({ what: 'Redis', logger: silent, timeoutMs: readyTimeoutMs }, () => untilReady(redis));
  await warnOfEviction(redis, logger);
}

const warned = new WeakSet<Logger>();

/** Warns once in a process. A Redis that may not be asked is taken for a good one. */
async function warnOfEviction(redis: RedisConnection, logger: Logger): Promise<void> {
  if (warned.has(logger)) return;
  warned.add(logger);
  const memory = await redis.info('memory').catch(() => '');
  const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(memory) ?? [];
  if (policy === 'noeviction') return;
  logger.warn(
    { maxmemory_policy: policy },
    'redis may drop messages: set its maxmemory-policy to noeviction',
  );
}

/** Throws when the connection is not established within a second. */
async function untilReady(redis: RedisConnection): Promise<void> {
  if (redis.status !== 'ready') {
    const signal = AbortSignal.timeout(askAgainMs);
    await once(redis, 'ready', { signal }).catch(() => {
      throw new Error(lastReason(redis));
    });
  }
  // The first command connects a node, and further ones would fail meanwhile.
  if (redis instanceof Cluster) await Promise.all(redis.nodes('master').map((node) => node.ping()));
}

const periodMs = 1_000;
/** Longer than a blocking read takes, or a busy Redis. */
const silenceMaxMs = 3_000;

/**
 * Reconnects when the server has not answered for 3 s; `onSilence` gets the reason. A host that disappears, or a master
 * replaced while it hung, closes no connection: a subscriber would wait forever.
 */
export function startHeartbeat(redis: Redis, onSilence: (reason: string) => void): void {
  let askedAt: number | null = null;
  const beat = (): void => {
    if (redis.status !== 'ready') {
      askedAt = null;
    } else if (askedAt === null) {
      askedAt = performance.now();
      const answered = (): void => void (askedAt = null);
      redis.ping().then(answered, answered);
    } else if (performance.now() - askedAt > silenceMaxMs) {
      askedAt = null;
      onSilence(`no answer for ${silenceMaxMs / 1_000} s`);
      redis.disconnect(true);
    }
  };
  const timer = setInterval(beat, periodMs).unref();
  redis.once('end', () => clearInterval(timer));
}

const corked = new WeakSet<object>();

/**
 * Call before a command: everything written in the same tick is sent together at its end. This takes as few system
 * calls under load as ioredis' own pipelining, without its wait for a turn of the event loop. Commands to a cluster are
 * sent one by one.
 */
export function corkWrites(redis: RedisConnection): void {
  if (!(redis instanceof Redis)) return;
  const { stream, status } = redis;
  if (status !== 'ready' || corked.has(stream)) return;
  corked.add(stream);
  stream.cork();
  process.nextTick(() => {
    corked.delete(stream);
    stream.uncork();
  });
}

interface Subscriber {
  onMessage(channel: string, message: Buffer): void;
  /** Called on each subscription, first or renewed: messages may have been missed before. */
  onSubscribed?(): void;
  /** Called when resubscribing failed; the next reconnection tries again. */
  onFailed(error: unknown): void;
}

/**
 * Subscribes a dedicated connection to sharded channels, again after each reconnection. In a cluster, a message then
 * only passes through the node of its channel; on a single server they are ordinary channels.
 */
export async function subscribeChannels(
  redis: RedisConnection,
  channels: readonly string[],
  subscriber: Subscriber,
): Promise<void> {
  redis.on('smessageBuffer', (channel: Buffer, message: Buffer) =>
    subscriber.onMessage(channel.toString(), message),
  );
  // One by one, because the channels may belong to different nodes.
  const subscribe = async (): Promise<void> => {
    for (const channel of channels) await redis.ssubscribe(channel);
    subscriber.onSubscribed?.();
  };
  await subscribe();
  if (redis instanceof Cluster) redis.on('subscribersReady', () => subscriber.onSubscribed?.());
  else redis.on('ready', () => void subscribe().catch((error: unknown) => subscriber.onFailed(error)));
}
