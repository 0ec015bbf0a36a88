import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '@app/local-stack';
import { type PageVisitor } from '@app/testing';
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
/** A tenth of the time without any protection, on an idle machine. */
const medianMaxMs = 250;
const sameNetwork = '127.0.0.1';
const otherNetwork = '127.0.0.77';
const attackers = ['127.0.0.66', '127.0.0.67', '127.0.0.68', '127.0.0.69'];
const bodyBytes = 65_536;
/** Together with what the process needs anyway it fits into the limit of its container, 512 MiB, twice. */
const growthMaxMib = 200;
const openedAtOnce = 50;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let stack: Stack;
let key: string;
let member: PageVisitor;
beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator]);
  const account = await createFundedAccount({ credits: 10_000 });
  key = account.key;
  member = await signedIn(account.id);
}, 120_000);
afterAll(() => stack?.stop());

const request = (line: string, ...lines: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const madeUp = (): string => `Authorization: Bearer ${madeUpKey()}`;
const longAccept = request(
  'GET /api/public/v1/search',
  `Accept: application/problem+json${',a/b;q=0.5'.repeat(1_490)}`,
);
const batch = JSON.stringify(Array(10).fill({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));

const floods: readonly (readonly [string, () => string])[] = [
  ['a list of 15 kB in Accept', () => longAccept],
  ['batches of MCP messages', () => request('POST /mcp', json, `Content-Length: ${batch.length}`) + batch],
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
    500,
    () => post('Transfer-Encoding: chunked', madeUp()) + '1\r\nx\r\n'.repeat(8_000),
  ],
])('unfinished bodies (%s) take a bounded amount of memory', async (_how, count, textOfAttack) => {
  const [pid = 0] = stack.pids.gateway;
  const before = residentMib(pid);
  const sockets = await holdBack(count, textOfAttack());
  const statuses = [];
  let most = 0;
  for (let call = 0; call < calls; call += 1) {
    statuses.push(await statusOfCall());
    most = Math.max(most, residentMib(pid));
    await pause(50);
  }
  for (const socket of sockets) socket.destroy();
  process.stdout.write(`gateway: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB\n`);
  expect(statuses).toEqual(Array(calls).fill(200));
  expect(most - before).toBeLessThan(growthMaxMib);
});

/** Connections that send this, and nothing more. */
async function holdBack(count: number, text: string): Promise<Socket[]> {
  const { hostname: host, port } = new URL(stack.publicUrl);
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const localAddress = attackers[sockets.length % attackers.length];
    const socket = connect({ host, port: Number(port), localAddress });
    socket.on('error', () => undefined).once('connect', () => socket.write(text));
    socket.resume();
    sockets.push(socket);
    if (sockets.length % openedAtOnce === 0) await pause(5);
  }
  return sockets;
}

async function statusOfCall(): Promise<number | undefined> {
  const connection = await WireConnection.open(stack.publicUrl, { from: otherNetwork });
  try {
    await connection.send(textOf([wireRequest(profile, key)]));
    const [answer] = await connection.whenAnswered(1);
    return answer?.status;
  } finally {
    connection.close();
  }
}
