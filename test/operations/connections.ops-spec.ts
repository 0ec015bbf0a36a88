import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { createFundedAccount } from '../support/accounts.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { startOperatedStack } from './support/operated-stack.js';
import { textOf, wireRequest } from './support/wire-requests.js';

/** Far fewer than a gateway takes by default (10,000), so that all are open before the first of them is too old. */
const connectionsMost = Number(process.env.SILENT_CONNECTIONS ?? 2_000);
const perAddressMost = Math.ceil(connectionsMost / 4);
const attackers = connectionsMost + 200;
/** Few, because the customers' calls wait in the same event loop. */
const openedAtOnce = 50;
/** Far longer than the deadline after which a call is answered with a 503. */
const answeredWithinMs = 15_000;
const callsAfter = 20;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let stack: Stack;
let key: string;
let silent: Set<Socket>;

beforeAll(async () => {
  stack = await startOperatedStack({
    environment: {
      MAX_CONNECTIONS: String(connectionsMost),
      MAX_CONNECTIONS_PER_ADDRESS: String(perAddressMost),
    },
  });
  await catalog.importVisible([creator]);
  ({ key } = await createFundedAccount({ credits: 100_000 }));
}, 120_000);

afterAll(() => stack?.stop());

beforeEach(() => (silent = new Set()));
afterEach(async () => {
  const closed = [...silent].map((socket) => once(socket, 'close'));
  for (const socket of silent) socket.destroy();
  await Promise.all(closed);
});

/** Opens a connection that sends nothing but its first words; resolves once it is established or refused. */
async function openSilent(localAddress: string, firstWords: string): Promise<void> {
  const { hostname: host, port } = new URL(stack.publicUrl);
  const socket = connect({ host, port: Number(port), localAddress });
  silent.add(socket);
  socket.on('error', () => undefined).once('close', () => silent.delete(socket));
  socket.resume();
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
  if (firstWords !== '') socket.write(firstWords);
}

/** One call of a customer on a new connection: the problem with it, if any. */
async function problemOfCall(from: string): Promise<string | null> {
  const startedAt = performance.now();
  const connection = await WireConnection.open(stack.publicUrl, { from });
  const patience = new AbortController();
  const late = pause(answeredWithinMs, [], { signal: patience.signal }).catch(() => []);
  try {
    await connection.send(textOf([wireRequest(profile, key)]));
    const [answer] = await Promise.race([connection.whenAnswered(1), late]);
    if (answer?.status === 200) return null;
    return `${answer?.status ?? 'no answer'} after ${Math.round(performance.now() - startedAt)} ms`;
  } finally {
    patience.abort();
    connection.close();
  }
}

const oneAddress = ['127.0.0.2'];
/** So many that each keeps within its share. */
const manyAddresses = Array.from({ length: 50 }, (_, number) => `127.0.1.${number + 1}`);
const oneRequest = 'GET /nothing/here HTTP/1.1\r\nHost: a\r\n\r\n';

it.each([
  ['that never send anything, from one address', oneAddress, '', perAddressMost],
  ['that are silent after one request, from one address', oneAddress, oneRequest, perAddressMost],
  ['that never send anything, from many addresses', manyAddresses, '', connectionsMost],
  ['that are silent after one request, from many addresses', manyAddresses, oneRequest, connectionsMost],
])(
  `${attackers} connections %s leave room for customers`,
  async (_what, addresses, firstWords, openMost) => {
    // The address of one attacker has customers, too.
    const customers = ['127.0.0.1', ...(addresses === oneAddress ? oneAddress : [])];
    const problems: string[] = [];
    let calls = 0;
    const callFrom = async (address: string): Promise<void> => {
      calls += 1;
      const problem = await problemOfCall(address).catch((error: unknown) => String(error));
      if (problem !== null) problems.push(`${address}: ${problem}`);
    };

    let added = 0;
    let isOver = false;
    const calling = customers.map(async (address) => {
      while (!isOver) await callFrom(address);
    });
    const opening = Array.from({ length: openedAtOnce }, async () => {
      while (added < attackers) await openSilent(addresses[added++ % addresses.length] ?? '', firstWords);
    });
    await Promise.all(opening);
    isOver = true;
    await Promise.all(calling);
    for (let call = 0; call < callsAfter; call++) await Promise.all(customers.map(callFrom));

    process.stdout.write(`${calls} calls, ${problems.length} failed; ${silent.size} silent connections\n`);
    expect(problems.slice(0, 20)).toEqual([]);
    await eventually(() => expect(silent.size).toBeLessThanOrEqual(openMost), 5_000);
  },
  // Each connection costs either side some CPU time.
  30_000 + attackers * 10,
);
