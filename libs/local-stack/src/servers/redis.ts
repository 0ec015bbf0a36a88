import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRedis } from '../programs/find-redis.js';
import { guardDirectory } from '../processes/guardian.js';
import { freePort } from '../ports.js';
import { ServerProcess } from '../processes/server-process.js';

export interface RedisOptions {
  /** The directory of its files. Default: a temporary one that is removed with the server. */
  readonly directory?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Whether an append-only file (`everysec`) keeps the data across restarts. Default: false. */
  readonly persistent?: boolean;
  /** Further settings, as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Restarts it on the same port and directory after it was killed or stopped. */
  restart(): Promise<void>;
  /** Stops it and removes its temporary directory. */
  stop(): Promise<void>;
}

export const redisReadyTimeoutMs = 20_000;

/** Large replies travel by publish/subscribe; the default limit would disconnect a client that lags for a moment. */
const pubsubLimit = 'pubsub 256mb 128mb 60';

/**
 * Full, Redis refuses writes instead of growing until it is killed or evicting what waits in a queue: calls get a 503 until
 * the services have taken what waits.
 */
const memory = { maxmemory: '640mb', 'maxmemory-policy': 'noeviction' };

/** A private Redis (or Valkey) on the loopback address. Nothing that already runs is touched. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const command = await findRedis();
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'redis-'));
  const temporary = options.directory === undefined;
  if (temporary) guardDirectory(directory);
  const port = options.port ?? (await freePort());
  const start = async (): Promise<ServerProcess> => {
    const redis = new ServerProcess({
      name: 'Redis',
      command: command.path,
      environment: command.environment,
      parameters: redisParameters(port, directory, options),
      logFile: join(directory, 'redis.log'),
      stopSignal: 'TERM',
    });
    await redis.waitUntil(() => answersPing(port), redisReadyTimeoutMs);
    return redis;
  };
  let current = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    get pid() {
      return current.pid;
    },
    get exited() {
      return current.exited;
    },
    kill: (signal) => current.kill(signal),
    restart: async () => {
      await current.stop();
      current = await start();
    },
    stop: async () => {
      await current.stop();
      if (temporary) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function redisParameters(port: number, directory: string, options: RedisOptions): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    bind: '127.0.0.1',
    dir: directory,
    daemonize: 'no',
    save: '',
    appendonly: options.persistent ? 'yes' : 'no',
    appendfsync: 'everysec',
    'client-output-buffer-limit': pubsubLimit,
    ...memory,
    ...options.settings,
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** A request for authentication counts too: such a server is ready. */
export function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const finish = (answered: boolean): void => {
      socket.destroy();
      resolve(answered);
    };
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => finish(/^(\+PONG|-NOAUTH)/.test(data.toString())));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
}
