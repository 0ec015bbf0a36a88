import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ChargeRequest, message } from '@app/contracts';
import { createLogger } from '@app/platform';
import { freePort, startRedis } from '@app/local-stack';
import { connectRedis, createRedis, PayloadPipe, ServiceClient } from '@app/transport';
import { Logger } from '@nestjs/common';
import { ClientProxyFactory, Transport } from '@nestjs/microservices';
import autocannon from 'autocannon';
import { fastify } from 'fastify';
import { firstValueFrom } from 'rxjs';
import { corkWrites } from '../libs/transport/src/redis/create-redis.js';
import { keys } from '../libs/transport/src/redis/keys.js';
import { Sender } from '../libs/transport/src/client/sender.js';
import { type Variant } from './transport-replica.js';
import { Summands } from './summands.js';
import { percentile } from './percentile.js';
import { readOptions } from './read-options.js';

/**
 * Requests over Redis lists beside Nest's own Redis and TCP transports, in one run, the replica in a process of its own,
 * rounds alternating: one request at a time, 64 in flight, and behind HTTP. Prints a table of medians.
 */
const given = readOptions('transport', {
  seconds: { type: 'string', default: '3' },
  rounds: { type: 'string', default: '3' },
  json: { type: 'string' },
});
const measureMs = Number(given.seconds) * 1_000;
const rounds = Number(given.rounds);
const inFlight = 64;
const connections = 32;

type Sum = (a: number, b: number) => Promise<number>;

interface Client {
  readonly sum: Sum;
  close(): Promise<unknown>;
}

interface Figures {
  readonly sequentialP50Ms: number;
  readonly sequentialP99Ms: number;
  readonly perSecond: number;
  readonly behindHttpPerSecond: number;
}

const logger = createLogger({ service: 'bench', level: 'fatal', pretty: false });
const sumMessage = message<Summands, number>('catalog', 'sum', Summands);
const sumWithoutResend = message<Summands, number>('catalog', 'sum', Summands, { resendAfterMs: null });

/** What is measured: a way to ask, and the kind of replica that answers. */
const subjects: Readonly<Record<string, { variant: Variant; connect: (port: number) => Promise<Client> }>> = {
  'lists (ours)': { variant: 'lists', connect: (port) => ours(port, sumMessage) },
  'lists, no resend': { variant: 'lists', connect: (port) => ours(port, sumWithoutResend) },
  'Transport.REDIS': { variant: 'nest-redis', connect: (port) => nest(Transport.REDIS, port) },
  'Transport.TCP': { variant: 'nest-tcp', connect: (port) => nest(Transport.TCP, port) },
};

async function ours(port: number, contract: typeof sumMessage): Promise<Client> {
  const client = new ServiceClient({ redisUrl: `redis://127.0.0.1:${port}`, logger });
  await client.connect();
  return {
    sum: (a, b) => client.request(contract, { a, b }, { requestId: 'bench' }),
    close: () => client.close(),
  };
}

async function nest(transport: Transport.REDIS | Transport.TCP, port: number): Promise<Client> {
  const client = ClientProxyFactory.create({ transport, options: { host: '127.0.0.1', port } });
  await client.connect();
  return {
    sum: (a, b) => firstValueFrom(client.send<number>('catalog.sum', { a, b })),
    close: () => Promise.resolve(client.close()),
  };
}

async function measure(name: string, redisPort: number): Promise<Figures> {
  const subject = subjects[name];
  if (!subject) throw new Error(`nothing is called ${name}`);
  const port = subject.variant === 'nest-tcp' ? await freePort() : redisPort;
  const replica = fork(join(import.meta.dirname, 'transport-replica.js'), [
    JSON.stringify({ variant: subject.variant, port }),
  ]);
  await once(replica, 'message');
  const client = await subject.connect(port);
  try {
    await load(client.sum, inFlight, measureMs / 3);
    const sequential = await load(client.sum, 1, measureMs);
    const concurrent = await load(client.sum, inFlight, measureMs);
    return {
      sequentialP50Ms: percentile(sequential.latenciesMs, 0.5),
      sequentialP99Ms: percentile(sequential.latenciesMs, 0.99),
      perSecond: concurrent.perSecond,
      behindHttpPerSecond: await behindHttp(client.sum),
    };
  } finally {
    await client.close();
    await end(replica);
  }
}

async function load(
  sum: Sum,
  workers: number,
  forMs: number,
): Promise<{ perSecond: number; latenciesMs: number[] }> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const work = async (): Promise<void> => {
    for (let a = 0; performance.now() - startedAt < forMs; a += 1) {
      const sentAt = performance.now();
      if ((await sum(a, 1)) !== a + 1) throw new Error('a wrong sum');
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return { perSecond: latenciesMs.length / ((performance.now() - startedAt) / 1_000), latenciesMs };
}

async function behindHttp(sum: Sum): Promise<number> {
  const server = fastify();
  server.get('/sum', async () => ({ sum: await sum(1, 2) }));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const result = await autocannon({ url: `${url}/sum`, connections, duration: measureMs / 1_000 });
  await server.close();
  if (result.non2xx > 0 || result.errors > 0) throw new Error('a call behind HTTP failed');
  return result.requests.average;
}

async function end(replica: ChildProcess): Promise<void> {
  replica.kill('SIGKILL');
  await once(replica, 'exit');
}

function medians(measured: readonly Figures[]): Figures {
  const median = (of: keyof Figures): number =>
    percentile(
      measured.map((figures) => figures[of]),
      0.5,
    );
  return {
    sequentialP50Ms: median('sequentialP50Ms'),
    sequentialP99Ms: median('sequentialP99Ms'),
    perSecond: median('perSecond'),
    behindHttpPerSecond: median('behindHttpPerSecond'),
  };
}

/** What the lease, the bound and the deadline cost: the send script beside a bare LPUSH, at 64 in flight, µs per send. */
async function guarantees(redisUrl: string): Promise<Record<string, string>> {
  const redis = createRedis(redisUrl, logger);
  await connectRedis(redis, logger);
  const sender = new Sender(redis, 1_000_000_000);
  const [seconds] = await redis.time();
  await redis.zadd(keys.replicas('bench'), (Number(seconds) + 600) * 1_000, 'replica');
  const frame = Buffer.from(JSON.stringify({ id: '1', pattern: 'bench.sum', data: { a: 1, b: 2 } }));
  const outgoing = { service: 'bench', queue: 'requests', frame, remainingMs: 5_000 } as const;
  const sends: Record<string, () => Promise<unknown>> = {
    'bare LPUSH': () => {
      corkWrites(redis);
      return redis.lpush(keys.queue('bench', 'requests'), frame);
    },
    'script: lease, bound, deadline': () => sender.send(outgoing),
  };
  const cost: Record<string, string> = {};
  for (const [name, send] of Object.entries(sends)) {
    const sum = (a: number, b: number): Promise<number> => send().then(() => a + b);
    const { perSecond } = await load(sum, inFlight, measureMs / 3);
    cost[name] = (1_000_000 / perSecond).toFixed(1);
    await redis.del(keys.queue('bench', 'requests'));
  }
  redis.disconnect();
  return cost;
}

/** What `PayloadPipe` takes for a charge, µs. */
function payloadCost(): Record<string, string> {
  const pipe = new PayloadPipe();
  const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
  const ids = { charge_id: id, account_id: id, key_id: id };
  const text = JSON.stringify({ ...ids, request_id: 'bench', operation: 'search', credits: 3 });
  const payloads = Array.from({ length: 50_000 }, () => JSON.parse(text) as unknown);
  const read = (payload: unknown): unknown =>
    pipe.transform(payload, { type: 'body', metatype: ChargeRequest });
  payloads.forEach(read);
  const startedAt = performance.now();
  payloads.forEach(read);
  const tookMs = performance.now() - startedAt;
  return { 'validating a charge': ((1_000 * tookMs) / payloads.length).toFixed(1) };
}

async function main(): Promise<void> {
  Logger.overrideLogger(false);
  const redis = await startRedis();
  const measured = new Map<string, Figures[]>(Object.keys(subjects).map((name) => [name, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, figures] of measured) figures.push(await measure(name, redis.port));
    }
    console.table({ ...(await guarantees(redis.url)), ...payloadCost() });
  } finally {
    await redis.stop();
  }
  const rows = [...measured].map(([name, figures]) => ({ transport: name, ...medians(figures) }));
  print(rows);
  if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
}

function print(rows: readonly ({ transport: string } & Figures)[]): void {
  const reference = rows.find(({ transport }) => transport === 'Transport.REDIS');
  if (!reference) throw new Error('the reference was not measured');
  const share = (value: number, of: number): string => `${Math.round((100 * value) / of)} %`;
  console.table(
    rows.map((row) => ({
      transport: row.transport,
      'one at a time, p50 ms': row.sequentialP50Ms.toFixed(3),
      'p99 ms': row.sequentialP99Ms.toFixed(2),
      [`${inFlight} in flight, req/s`]: Math.round(row.perSecond),
      'behind HTTP, req/s': Math.round(row.behindHttpPerSecond),
      'p50 of REDIS': share(row.sequentialP50Ms, reference.sequentialP50Ms),
      'req/s of REDIS': share(row.perSecond, reference.perSecond),
      'HTTP of REDIS': share(row.behindHttpPerSecond, reference.behindHttpPerSecond),
    })),
  );
}

await main();
