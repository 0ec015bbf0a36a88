import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProcess, type ServerProcessOptions } from '../processes/server-process.js';
import { freePort } from './ports.js';
import { findRedis } from './programs.js';

export interface RedisOptions {
  /** The directory of its files. Default: a temporary one that is removed with the server. */
  readonly directory?: string;
  /** Port to listen on. Default: a free one. */
  readonly port?: number;
  /** Whether an append-only file (`everysec`) keeps the data across restarts. Default: false. */
  readonly persistent?: boolean;
  /** Further settings, as in redis.conf. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Large replies travel by publish/subscribe; the default limit would disconnect a client that lags for a moment. */
const pubsubLimit = 'pubsub 256mb 128mb 60';

/**
 * Full, Redis refuses writes instead of growing until it is killed or evicting what waits in a queue: calls get a 503 until
 * the services have taken what waits.
 */
const memory = { maxmemory: '640mb', 'maxmemory-policy': 'noeviction' };

export class RedisServer extends ServerProcess {
  readonly url: string;

  constructor(
    readonly port: number,
    options: ServerProcessOptions,
  ) {
    super(options);
    this.url = `redis://127.0.0.1:${port}`;
  }
}

/** A private Redis (or Valkey) on the loopback address. Nothing that already runs is touched. */
export async function startRedis(options: RedisOptions = {}): Promise<RedisServer> {
  const { path: command, environment } = await findRedis();
  const directory = options.directory ?? mkdtempSync(join(tmpdir(), 'redis-'));
  const port = options.port ?? (await freePort());
  const server = new RedisServer(port, {
    name: 'Redis',
    command,
    environment,
    parameters: redisParameters(port, directory, options),
    logFile: join(directory, 'redis.log'),
    stopSignal: 'TERM',
    temporaryDirectory: options.directory === undefined ? directory : undefined,
    isReady: () => answersPing(port),
  });
  await server.waitUntilReady();
  return server;
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
