import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  answersPing,
  findRedis,
  freePort,
  freePorts,
  guardDirectory,
  type RedisServer,
  ServerProcess,
  startRedis,
} from '#dev';

const masterName = 'main';
const sentinelCount = 3;
const quorum = 2;
const downAfterMs = 500;
const pollMs = 50;

/**
 * A Redis with a replica and three sentinels, which promote the replica when the master does not answer for half a
 * second.
 */
export async function startRedisSentinels() {
  const first = await startRedis();
  const second = await startRedis({ settings: { replicaof: `127.0.0.1 ${first.port}` } });
  const servers = [first, second];
  const directory = mkdtempSync(join(tmpdir(), 'sentinels-'));
  guardDirectory(directory);
  const ports = await freePorts(sentinelCount);
  const sentinels = await Promise.all(ports.map((port) => startSentinel(directory, port, first.port)));
  const [port = await freePort()] = ports;
  const asked = new Redis(port, '127.0.0.1', { retryStrategy: () => 50 });
  asked.on('error', () => undefined);
  const masterPort = async (): Promise<number> => {
    const [, found] = (await asked.call('SENTINEL', 'get-master-addr-by-name', masterName)) as string[];
    return Number(found);
  };
  return {
    /** For `SERVICE_REDIS_URL`. */
    url: `redis+sentinel://${ports.map((each) => `127.0.0.1:${each}`).join(',')}/${masterName}`,
    servers,
    /** The server that the sentinels regard as the master. */
    master: async (): Promise<RedisServer> => {
      const found = await masterPort();
      const server = servers.find((each) => each.port === found);
      if (!server) throw new Error(`the sentinels name a master on port ${found}, which is none of theirs`);
      return server;
    },
    /** Resolves when the master has a replica that is in sync: only then can it fail over. */
    whole: async (): Promise<void> => hasReplica(await masterPort()),
    stop: async (): Promise<void> => {
      asked.disconnect();
      await Promise.all(sentinels.map((sentinel) => sentinel.stop()));
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

async function hasReplica(port: number): Promise<void> {
  const master = new Redis(port);
  while (!(await master.info('replication')).includes('state=online')) await delay(pollMs);
  master.disconnect();
}

async function startSentinel(directory: string, port: number, masterPort: number): Promise<ServerProcess> {
  const command = await findRedis();
  // Sentinels store their state in their configuration file.
  const file = join(directory, `sentinel-${port}.conf`);
  writeFileSync(
    file,
    [
      `port ${port}`,
      'bind 127.0.0.1',
      `dir ${directory}`,
      `sentinel monitor ${masterName} 127.0.0.1 ${masterPort} ${quorum}`,
      `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
      `sentinel failover-timeout ${masterName} ${4 * downAfterMs}`,
      '',
    ].join('\n'),
  );
  const sentinel = new ServerProcess({
    name: 'Redis Sentinel',
    command: command.path,
    environment: command.environment,
    parameters: [file, '--sentinel'],
    logFile: join(directory, `sentinel-${port}.log`),
    stopSignal: 'TERM',
    isReady: () => answersPing(port),
  });
  await sentinel.waitUntilReady();
  return sentinel;
}
