import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePorts, type RedisServer, startRedis } from '#dev';

interface Node {
  readonly server: RedisServer;
  readonly busPort: number;
}

const masterCount = 3;
const slotCount = 16_384;
const nodeTimeoutMs = 1_000;
const pollMs = 50;

/** Three masters with a replica each, which takes over when its master does not answer for a second. */
export async function startRedisCluster() {
  const nodes = await startNodes();
  const servers = nodes.map(({ server }) => server);
  await assemble(nodes);
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
async function startNodes(attemptsLeft = 3): Promise<Node[]> {
  const ports = await freePorts(4 * masterCount);
  const starting = Array.from({ length: 2 * masterCount }, (_, index) =>
    startNode(ports[2 * index] ?? 0, ports[2 * index + 1] ?? 0),
  );
  const started = await Promise.allSettled(starting);
  const nodes = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failure = started.find((one) => one.status === 'rejected');
  if (!failure) return nodes;
  await Promise.all(nodes.map(({ server }) => server.stop()));
  if (attemptsLeft === 0) throw failure.reason;
  return startNodes(attemptsLeft - 1);
}

async function startNode(port: number, busPort: number): Promise<Node> {
  const settings = {
    'cluster-enabled': 'yes',
    'cluster-port': String(busPort),
    'cluster-node-timeout': String(nodeTimeoutMs),
  };
  return { server: await startRedis({ port, settings }), busPort };
}

/** Assigns the slots to the first nodes, introduces all to each other, and gives each of the first a replica. */
async function assemble(nodes: readonly Node[]): Promise<void> {
  const clients = nodes.map(({ server }) => new Redis(server.port));
  try {
    const [first] = clients;
    for (const [index, client] of clients.slice(0, masterCount).entries()) {
      await client.cluster('ADDSLOTSRANGE', ...slotsOf(index));
    }
    for (const { server, busPort } of nodes) {
      await first?.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
    }
    await every(clients, async (client) => {
      const known = String(await client.call('CLUSTER', 'NODES'));
      return known.trim().split('\n').length === nodes.length;
    });
    for (const [index, client] of clients.slice(masterCount).entries()) {
      await client.cluster('REPLICATE', String(await clients[index]?.cluster('MYID')));
    }
  } finally {
    for (const client of clients) client.disconnect();
  }
}

function slotsOf(index: number): [from: number, to: number] {
  const first = (master: number): number => Math.floor((master * slotCount) / masterCount);
  return [first(index), first(index + 1) - 1];
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
