import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack, startStack } from '#dev';
import { eventually, type PageVisitor } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { signedIn } from '../support/members.js';
import { api } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { Flood, madeUpKey, residentMib } from './support/flood.js';
import { startOperatedStack } from './support/operated-stack.js';
import { textOf, wireRequest } from './support/wire-requests.js';

// A flood lasts some seconds.
jest.setTimeout(60_000);

const clients = 200;
/** Then the burst that a network may make is used up. */
const answersFirst = 3_000;
const calls = 25;
/** Less than half of the time without any protection on an idle machine; on a busy one that takes longer too. */
const medianMaxMs = 1_000;
const sameNetwork = '127.0.0.1';
const otherNetwork = '127.0.0.77';
const attackers = ['127.0.0.66', '127.0.0.67', '127.0.0.68', '127.0.0.69'];
const bodyBytes = 65_536;
/** Together with what the process needs anyway it fits into the limit of its container, 512 MiB, twice. */
const growthMaxMib = 200;
/** Far longer than the deadline after which a call is answered with a 503. */
const answeredWithinMs = 30_000;
/** Few, because the customers' calls wait in the same event loop. */
const openedAtOnce = 50;
/** Each sends a thousand requests at once. */
const pipeliningClients = 60;
/** Each takes a while, because the attack keeps the gateway busy. */
const callsWithLongHeads = 8;
/** Far fewer than a gateway takes by default (10,000), so that all are open before the first of them is too old. */
const connectionsMost = Number(process.env.SILENT_CONNECTIONS ?? 1_000);
const perAddressMost = Math.ceil(connectionsMost / 4);
const silentConnections = connectionsMost + 200;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let stack: Stack;
let key: string;
let member: PageVisitor;
/** Of attackers. */
let sockets: Set<Socket>;
beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator]);
  const account = await createFundedAccount({ credits: 10_000 });
  key = account.key;
  member = await signedIn(account.id);
}, 120_000);
afterAll(() => stack?.stop());

beforeEach(() => (sockets = new Set()));
afterEach(async () => {
  const closed = [...sockets].map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
});

/** A connection that sends this, and nothing more. */
function openSocket(origin: string, localAddress: string, text: string): Socket {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  socket.once('connect', () => socket.write(text));
  return socket.resume();
}

/** The status of a call on a connection of its own, and how long it took. */
async function callOnce(origin: string, from: string): Promise<{ status: number | undefined; ms: number }> {
  const startedAt = performance.now();
  const connection = await WireConnection.open(origin, { from });
  const patience = new AbortController();
  const late = pause(answeredWithinMs, [], { signal: patience.signal }).catch(() => []);
  try {
    await connection.send(textOf([wireRequest(profile, key)]));
    const [answer] = await Promise.race([connection.whenAnswered(1), late]);
    return { status: answer?.status, ms: performance.now() - startedAt };
  } finally {
    patience.abort();
    connection.close();
  }
}

const request = (line: string, ...lines: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const madeUp = (): string => `Authorization: Bearer ${madeUpKey()}`;
const longAccept = request(
  'GET /api/public/v1/search',
  `Accept: application/problem+json${',a/b;q=0.5'.repeat(1_490)}`,
);
const toolsList = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

const floods: readonly (readonly [string, () => string])[] = [
  ['a list of 15 kB in Accept', () => longAccept],
  ['MCP messages', () => request('POST /mcp', json, `Content-Length: ${toolsList.length}`) + toolsList],
  ['made-up keys', () => request('GET /api/public/v1/search', madeUp())],
  [
    'made-up sessions',
    () => request('GET /account', `Cookie: session=${randomBytes(32).toString('base64url')}`),
  ],
];

/** The status of each call, and their median time, ms. */
async function timed(
  call: () => Promise<number | undefined>,
): Promise<{ statuses: unknown[]; medianMs: number }> {
  const statuses = [];
  const times = [];
  for (let number = 0; number < calls; number += 1) {
    const startedAt = performance.now();
    statuses.push(await call());
    times.push(performance.now() - startedAt);
  }
  return { statuses, medianMs: times.sort((one, other) => one - other)[calls >> 1] ?? 0 };
}

it.each(floods)(
  'a flood of %s slows down customers neither in that network nor in others',
  async (_what, next) => {
    expect((await api.profile(creator.slug, key)).status).toBe(200);
    expect((await member.get('/account')).status).toBe(200);
    const flood = new Flood(stack.publicUrl, sameNetwork, next);
    const elsewhere = await WireConnection.open(stack.publicUrl, { from: otherNetwork });
    flood.begin(clients);
    try {
      const until = performance.now() + 3_000;
      while (flood.answers < answersFirst && performance.now() < until) await new Promise(setImmediate);
      let answered = 0;
      const results = await Promise.all([
        timed(async () => (await api.profile(creator.slug, key)).status),
        timed(async () => (await member.get('/account')).status),
        timed(async () => {
          await elsewhere.send(textOf([wireRequest(profile, key)]));
          return (await elsewhere.whenAnswered(++answered))[answered - 1]?.status;
        }),
      ]);
      process.stdout.write(
        `medians: ${results.map(({ medianMs }) => `${Math.round(medianMs)} ms`).join(', ')}\n`,
      );
      for (const { statuses, medianMs } of results) {
        expect(statuses).toEqual(Array(calls).fill(200));
        expect(medianMs).toBeLessThan(medianMaxMs);
      }
    } finally {
      flood.end();
      elsewhere.close();
    }
  },
);

const post = (...lines: readonly string[]): string => request('POST /api/public/v1/lookup', json, ...lines);
const length = `Content-Length: ${bodyBytes}`;
const unfinished = ' '.repeat(bodyBytes - 1);

it.each<[string, number, () => string]>([
  ['without a key', 4_000, () => post(length) + unfinished],
  ['with a made-up key', 2_000, () => post(length, madeUp()) + unfinished],
  [
    'with a made-up key, byte by byte',
    // Node.js parses eight thousand parts of a connection at once, and customers wait for all of them.
    200,
    () => post('Transfer-Encoding: chunked', madeUp()) + '1\r\nx\r\n'.repeat(8_000),
  ],
])('unfinished bodies (%s) take a bounded amount of memory', async (_how, count, textOfAttack) => {
  const [pid = 0] = stack.pids.gateway;
  const before = residentMib(pid);
  const text = textOfAttack();
  for (let number = 1; number <= count; number += 1) {
    openSocket(stack.publicUrl, attackers[number % attackers.length] ?? '', text);
    if (number % openedAtOnce === 0) await pause(5);
  }
  const statuses = [];
  let most = 0;
  for (let call = 0; call < calls; call += 1) {
    statuses.push((await callOnce(stack.publicUrl, otherNetwork)).status);
    most = Math.max(most, residentMib(pid));
    await pause(50);
  }
  process.stdout.write(`gateway: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB\n`);
  expect(statuses).toEqual(Array(calls).fill(200));
  expect(most - before).toBeLessThan(growthMaxMib);
});

it('requests with long heads that are sent ahead take a bounded amount of memory', async () => {
  const [pid = 0] = stack.pids.gateway;
  const before = residentMib(pid);
  // The others wait for the first one.
  const next = request('GET /docs', `Padding: ${'x'.repeat(15_000)}`);
  const open = (): void => {
    const socket = openSocket(stack.publicUrl, sameNetwork, request('GET /docs'));
    let left = 999;
    const send = (): void => {
      while (left > 0 && socket.write(next)) left -= 1;
    };
    socket.once('connect', send).on('drain', send);
  };
  const statuses = [];
  let most = 0;
  for (let call = 0; call < callsWithLongHeads; call += 1) {
    // Those that were cut off come again.
    while (sockets.size < pipeliningClients) open();
    statuses.push((await callOnce(stack.publicUrl, otherNetwork)).status);
    most = Math.max(most, residentMib(pid));
    await pause(100);
  }
  process.stdout.write(`gateway: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB\n`);
  expect(statuses).toEqual(Array(callsWithLongHeads).fill(200));
  expect(most - before).toBeLessThan(growthMaxMib);
});

describe('a gateway with more silent connections than it takes', () => {
  let limited: Stack;
  beforeAll(async () => {
    // Another gateway of the same services.
    limited = await startStack({
      replicas: { catalog: 0, billing: 0 },
      redisUrl: stack.redisUrl,
      catalogDatabaseUrl: stack.databaseUrls.catalog,
      billingDatabaseUrl: stack.databaseUrls.billing,
      environment: {
        MAX_CONNECTIONS: String(connectionsMost),
        MAX_CONNECTIONS_PER_ADDRESS: String(perAddressMost),
      },
    });
  });
  afterAll(() => limited?.stop());

  const oneAddress = ['127.0.0.2'];
  /** So many that each keeps within its share. */
  const manyAddresses = Array.from({ length: 50 }, (_, number) => `127.0.1.${number + 1}`);
  const oneRequest = request('GET /nothing/here');

  // Which connections give way: apps/gateway/src/edge/connection-limit.int-spec.ts.
  it.each([
    ['never send anything, from one address', oneAddress, '', perAddressMost],
    ['are silent after one request, from many addresses', manyAddresses, oneRequest, connectionsMost],
  ])(
    `has room for customers when ${silentConnections} connections %s`,
    async (_what, addresses, firstWords, openMost) => {
      // The address of one attacker has customers, too.
      const customers = [sameNetwork, ...(addresses === oneAddress ? oneAddress : [])];
      const problems: string[] = [];
      let called = 0;
      const callFrom = async (address: string): Promise<void> => {
        called += 1;
        const { status, ms } = await callOnce(limited.publicUrl, address).catch((error: unknown) => ({
          status: String(error),
          ms: 0,
        }));
        if (status !== 200) problems.push(`${address}: ${status} after ${Math.round(ms)} ms`);
      };

      let added = 0;
      let isOver = false;
      const calling = customers.map(async (address) => {
        while (!isOver) await callFrom(address);
      });
      const opening = Array.from({ length: openedAtOnce }, async () => {
        while (added < silentConnections) {
          const address = addresses[added++ % addresses.length] ?? '';
          const socket = openSocket(limited.publicUrl, address, firstWords);
          await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
        }
      });
      await Promise.all(opening);
      isOver = true;
      await Promise.all(calling);
      for (let call = 0; call < calls; call++) await Promise.all(customers.map(callFrom));

      process.stdout.write(
        `${called} calls, ${problems.length} failed; ${sockets.size} silent connections\n`,
      );
      expect(problems.slice(0, 20)).toEqual([]);
      await eventually(() => expect(sockets.size).toBeLessThanOrEqual(openMost), 5_000);
    },
    // Each connection costs either side some CPU time.
    30_000 + silentConnections * 10,
  );
});
