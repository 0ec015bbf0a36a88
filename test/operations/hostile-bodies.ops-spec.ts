import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '@app/local-stack';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { KeyPool } from '../support/key-pool.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { madeUpKey, residentMib } from './support/flood.js';
import { startOperatedStack } from './support/operated-stack.js';
import { textOf, wireRequest } from './support/wire-requests.js';

// Bodies are held back for as long as the gateway waits for them.
jest.setTimeout(60_000);

const bodyBytes = 65_536;
/** Together with what the process needs anyway it fits into the limit of its container, 512 MiB, twice. */
const growthMaxMib = 200;
const openedAtOnce = 50;
const callsMeanwhile = 20;
const attackers = ['127.0.0.66', '127.0.0.67', '127.0.0.68', '127.0.0.69'];
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator], new KeyPool());
  account = await createFundedAccount({ credits: 1_000 });
}, 120_000);
afterAll(() => stack?.stop());

const head = (...lines: readonly string[]): string =>
  ['POST /api/public/v1/lookup HTTP/1.1', 'Host: a', 'Content-Type: application/json', ...lines, '', ''].join(
    '\r\n',
  );
const unfinished = ' '.repeat(bodyBytes - 1);

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
  const connection = await WireConnection.open(stack.publicUrl, { from: '127.0.0.77' });
  try {
    await connection.send(textOf([wireRequest(profile, account.keys[0]?.key)]));
    const [answer] = await connection.whenAnswered(1);
    return answer?.status;
  } finally {
    connection.close();
  }
}

it.each<[string, number, () => string]>([
  ['without a key', 4_000, () => head(`Content-Length: ${bodyBytes}`) + unfinished],
  [
    'with a made-up key',
    2_000,
    () => head(`Content-Length: ${bodyBytes}`, `Authorization: Bearer ${madeUpKey()}`) + unfinished,
  ],
  [
    'with a made-up key, byte by byte',
    500,
    () =>
      head('Transfer-Encoding: chunked', `Authorization: Bearer ${madeUpKey()}`) + '1\r\nx\r\n'.repeat(8_000),
  ],
])(
  'bodies whose end is held back %s take a bounded memory',
  async (_how, count, textOfAttack) => {
    const [pid = 0] = stack.pids.gateway;
    const before = residentMib(pid);
    const sockets = await holdBack(count, textOfAttack());
    const statuses = [];
    let most = 0;
    for (let call = 0; call < callsMeanwhile; call += 1) {
      statuses.push(await statusOfCall());
      most = Math.max(most, residentMib(pid));
      await pause(50);
    }
    for (const socket of sockets) socket.destroy();
    process.stdout.write(`gateway: ${Math.round(before)} MiB before, at most ${Math.round(most)} MiB\n`);
    expect(statuses).toEqual(Array(callsMeanwhile).fill(200));
    expect(most - before).toBeLessThan(growthMaxMib);
  },
  60_000,
);
