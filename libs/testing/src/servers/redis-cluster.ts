import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findRedis, freePorts, type RedisServer, runOrThrow, startRedis } from '#dev';

const nodeCount = 6;
const nodeTimeoutMs = 1_000;
const pollMs = 50;

/** Three masters with a replica each, which takes over when its master does not answer for a second. */
export async function startRedisCluster() {
  const servers = await startNodes();
  await assemble(servers);
  await wholeCluster(servers);
  return {
    /** For `SERVICE_REDIS_URL`. */
    url: `redis+cluster://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    servers,
    /** The server that holds this key, according to one that is alive. */
    masterOf: (key: string) => masterOf(servers, key),
    /** Resolves when every master has a replica that is in sync: only then can it fail over. */
    whole: () => wholeCluster(servers),
    stop: async (): Promise<void> => {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** With this many ports, one may be taken before it is used: then all are chosen again. */
async function startNodes(attemptsLeft = 3): Promise<RedisServer[]> {
  const ports = await freePorts(2 * nodeCount);
  const started = await Promise.allSettled(
    Array.from({ length: nodeCount }, (_, index) => {
      const settings = {
        'cluster-enabled': 'yes',
        'cluster-port': String(ports[nodeCount + index]),
        'cluster-node-timeout': String(nodeTimeoutMs),
      };
      return startRedis({ port: ports[index], settings });
    }),
  );
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failure = started.find((one) => one.status === 'rejected');
  if (!failure) return nodes;
  await Promise.all(nodes.map((server) => server.stop()));
  if (attemptsLeft === 0) throw failure.reason;
  return startNodes(attemptsLeft - 1);
}

/** Has Redis's own client assign the slots to three nodes and give each of them a replica. */
async function assemble(nodes: readonly RedisServer[]): Promise<void> {
  const { path, environment: env } = await findRedis();
  const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const options = ['--cluster-replicas', '1', '--cluster-yes'];
  await runOrThrow(path.replace(/-server$/, '-cli'), ['--cluster', 'create', ...addresses, ...options], {
    env,
  });
}

async function wholeCluster(servers: readonly RedisServer[]): Promise<void> {
  const clients = servers.map(({ port }) => new Redis(port));
  try {
    await every(clients, async (client) => {
      const state = String(await client.cluster('INFO'));
      const ranges = await client.cluster('SLOTS');
      return state.includes('cluster_state:ok') && ranges.every(([, , ...holders]) => holders.length === 2);
    });
    await every(clients, async (client) => {
      const state = await client.info('replication');
      return state.includes('role:slave') || state.includes('state=online');
    });
  } finally {
    for (const client of clients) client.disconnect();
  }
}

async function every(clients: readonly Redis[], check: (client: Redis) => Promise<boolean>): Promise<void> {
  while (!(await Promise.all(clients.map(check))).every(Boolean)) await delay(pollMs);
}

async function masterOf(servers: readonly RedisServer[], key: string): Promise<RedisServer> {
  const masterPort = await Promise.any(servers.map(({ port }) => askForMaster(port, key)));
  const master = servers.find(({ port }) => port === masterPort);
  if (!master) throw new Error(`no server of this cluster has the key ${key}`);
  return master;
}

async function askForMaster(port: number, key: string): Promise<number | undefined> {
  const client = new Redis(port, { retryStrategy: () => null, lazyConnect: true });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const slot = Number(await client.cluster('KEYSLOT', key));
    const range = (await client.cluster('SLOTS')).find(([from, to]) => from <= slot && slot <= to);
    return range?.[2]?.[1];
  } finally {
    client.disconnect();
  }
}
