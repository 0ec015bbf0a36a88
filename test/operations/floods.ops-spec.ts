import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '#dev';
import { type PageVisitor } from '#testing';
import { createFundedAccount } from '../support/accounts.js';
import { signedIn } from '../support/members.js';
import { api, paths } from '../support/public-api.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { Flood, madeUpKey, residentMib } from './support/flood.js';
import { startOperatedStack } from './support/operated-stack.js';

jest.setTimeout(120_000);

const clients = 200;
const calls = 25;
/** Less than half of the time without any protection on an idle machine; on a busy one that takes longer too. */
const medianMaxMs = 1_000;
const sameNetwork = '127.0.0.1';
const otherNetwork = '127.0.0.77';
const attackers = ['127.0.0.66', '127.0.0.67', '127.0.0.68', '127.0.0.69'];
const bodyBytes = 65_536;
/** Together with what the process needs anyway it fits into the limit of its container, 512 MiB, twice. */
const growthMaxMib = 200;
/** Few, because the customers' calls wait in the same event loop. */
const openedAtOnce = 50;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');

let stack: Stack;
let key: string;
let member: PageVisitor;
const sockets = new Set<Socket>();
beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator]);
  const account = await createFundedAccount({ credits: 10_000 });
  key = account.key;
  member = await signedIn(account.id);
});
afterAll(() => stack?.stop());
afterEach(async () => {
  const closed = [...sockets].map((socket) => once(socket, 'close'));
  for (const socket of sockets) socket.destroy();
  await Promise.all(closed);
});

/** A connection of an attacker that sends this, and nothing more. */
function openSocket(origin: string, localAddress: string, text: string | Buffer): Socket {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), localAddress });
  sockets.add(socket);
  socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  socket.once('connect', () => socket.write(text));
  return socket.resume();
}

/** The status of a customer's call on a connection of its own. */
async function callOnce(origin: string, localAddress: string): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${key}` };
  const call = get(origin + paths.profile(creator.slug), { localAddress, headers, agent: false });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** The status of each call, one after another, and their median time, ms. */
async function timed(call: () => Promise<number | undefined>): Promise<[unknown[], number]> {
  const statuses = [];
  const times = [];
  for (let number = 0; number < calls; number += 1) {
    const startedAt = performance.now();
    statuses.push(await call());
    times.push(performance.now() - startedAt);
  }
  return [statuses, times.sort((one, other) => one - other)[calls >> 1] ?? 0];
}

const request = (line: string, ...lines: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'Host: a', ...lines, '', ''].join('\r\n');
const json = 'Content-Type: application/json';
const madeUp = (): string => `Authorization: Bearer ${madeUpKey()}`;
const longAccept = `Accept: application/problem+json${',a/b;q=0.5'.repeat(1_490)}`;
const toolsList = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const session = (): string => `Cookie: session=${randomBytes(32).toString('base64url')}`;

it.each<[string, () => string]>([
  ['a list of 15 kB in Accept', () => request('GET /api/public/v1/search', longAccept)],
  ['MCP messages', () => request('POST /mcp', json, `Content-Length: ${toolsList.length}`) + toolsList],
  ['made-up keys', () => request('GET /api/public/v1/search', madeUp())],
  ['made-up sessions', () => request('GET /account', session())],
])('a flood of %s slows down customers neither in that network nor in others', async (what, next) => {
  expect((await api.profile(creator.slug, key)).status).toBe(200);
  expect((await member.get('/account')).status).toBe(200);
  const flooded = what === 'made-up sessions' ? stack.siteUrl : stack.publicUrl;
  const flood = new Flood(flooded, sameNetwork, next);
  flood.begin(clients);
  try {
    // Then the burst that a network may make is used up.
    await pause(3_000);
    const results = await Promise.all([
      timed(async () => (await api.profile(creator.slug, key)).status),
      timed(async () => (await member.get('/account')).status),
      timed(() => callOnce(stack.publicUrl, otherNetwork)),
    ]);
    process.stdout.write(`medians: ${results.map(([, ms]) => `${Math.round(ms)} ms`).join(', ')}\n`);
    for (const [statuses, medianMs] of results) {
      expect(statuses).toEqual(Array(calls).fill(200));
      expect(medianMs).toBeLessThan(medianMaxMs);
    }
  } finally {
    flood.end();
  }
});

const post = (...lines: readonly string[]): string =>
  request('POST /api/public/v1/lookup', json, madeUp(), ...lines);
const oneByteParts = '1\r\nx\r\n'.repeat(8_000);

it.each<[string, number, () => string]>([
  ['bodies without their last byte', 2_000, () => post(`Content-Length: ${bodyBytes}`) + ' '.repeat(65_535)],
  // Node.js parses eight thousand parts of a connection at once, and customers wait for all of them.
  ['bodies byte by byte', 200, () => post('Transfer-Encoding: chunked') + oneByteParts],
  [
    'long heads behind a request',
    60,
    () => request('GET /docs') + request('GET /docs', `Padding: ${'x'.repeat(15_000)}`).repeat(999),
  ],
])('%s take a bounded amount of memory', async (_what, count, textOfAttack) => {
  const [pid = 0] = stack.pids.gateway;
  const before = residentMib(pid);
  const text = Buffer.from(textOfAttack());
  for (let number = 1; number <= count; number += 1) {
    openSocket(stack.publicUrl, attackers[number % attackers.length] ?? '', text);
    if (number % openedAtOnce === 0) await pause(5);
  }
  const statuses = [];
  let most = 0;
  for (let call = 0; call < calls; call += 1) {
    statuses.push(await callOnce(stack.publicUrl, otherNetwork));
    most = Math.max(most, residentMib(pid));
    await pause(50);
  }
  process.stdout.write(`gateway: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB\n`);
  expect(statuses).toEqual(Array(calls).fill(200));
  expect(most - before).toBeLessThan(growthMaxMib);
});
