import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '@app/local-stack';
import { eventually } from '@app/testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import { startOperatedStack } from './support/operated-stack.js';
import { textOf, wireRequest } from './support/wire-requests.js';

/** Far fewer than a gateway takes by default (10,000), so that they are there before the first of them is too old. */
const connectionsMost = Number(process.env.SILENT_CONNECTIONS ?? 2_000);
const perAddressMost = Math.ceil(connectionsMost / 4);
/** More than there may be. */
const attackers = connectionsMost + 200;
/** Each costs either side some CPU time. */
const timeoutMs = 30_000 + attackers * 10;
/** Few, because the customers' calls wait in the same event loop. */
const openedAtOnce = 50;
const customerAddress = '127.0.0.1';
/** Far longer than the deadline after which a call is answered with a 503. */
const answeredWithinMs = 15_000;
const callsAfter = 20;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone');
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };

let stack: Stack;
let account: TestAccount;
let silent: SilentConnections;

beforeAll(async () => {
  stack = await startOperatedStack({
    environment: {
      MAX_CONNECTIONS: String(connectionsMost),
      MAX_CONNECTIONS_PER_ADDRESS: String(perAddressMost),
    },
  });
  await catalog.importVisible([creator]);
  account = await createFundedAccount({ credits: 100_000 });
}, 120_000);

afterAll(() => stack?.stop());

beforeEach(() => {
  silent = new SilentConnections(Number(new URL(stack.publicUrl).port));
});

afterEach(() => silent.close());

/** Connections that say nothing, or nothing more after one request. */
class SilentConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly port: number) {}

  /** Those that the server has not ended. */
  get open(): number {
    return this.sockets.size;
  }

  /** Resolves once the connection is established, or has been refused. */
  async add(from: string, firstWords: string): Promise<void> {
    const socket = connect({ host: '127.0.0.1', port: this.port, localAddress: from });
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    socket.resume();
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined);
    if (firstWords !== '') socket.write(firstWords);
  }

  async close(): Promise<void> {
    const open = [...this.sockets];
    const closed = open.map((socket) => once(socket, 'close'));
    for (const socket of open) socket.destroy();
    await Promise.all(closed);
  }
}

/** A client that means well, each of whose calls needs a new connection: whatever went wrong with them. */
class Customer {
  readonly problems: string[] = [];
  calls = 0;

  constructor(private readonly address: string) {}

  async callUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.call();
  }

  async call(): Promise<void> {
    this.calls += 1;
    const problem = await this.problemOfCall().catch((error: unknown) => String(error));
    if (problem !== null) this.problems.push(`${this.address}, call ${this.calls}: ${problem}`);
  }

  private async problemOfCall(): Promise<string | null> {
    const startedAt = performance.now();
    const connection = await WireConnection.open(stack.publicUrl, { from: this.address });
    const patience = new AbortController();
    const late = pause(answeredWithinMs, [], { signal: patience.signal }).catch(() => []);
    try {
      await connection.send(textOf([wireRequest(profile, account.key)]));
      const [answer] = await Promise.race([connection.whenAnswered(1), late]);
      if (answer?.status === 200) return null;
      return `${answer?.status ?? 'no answer'} after ${Math.round(performance.now() - startedAt)} ms`;
    } finally {
      patience.abort();
      connection.close();
    }
  }
}

/** Opens them as fast as it can, while the customers call; these call on for a while after. */
async function flood(
  addresses: readonly string[],
  firstWords: string,
  customers: readonly Customer[],
): Promise<void> {
  let added = 0;
  let isOver = false;
  const calling = Promise.all(customers.map((customer) => customer.callUntil(() => isOver)));
  const add = async (): Promise<void> => {
    while (added < attackers) await silent.add(addresses[added++ % addresses.length] ?? '', firstWords);
  };
  await Promise.all(Array.from({ length: openedAtOnce }, add));
  isOver = true;
  await calling;
  for (let call = 0; call < callsAfter; call++) {
    await Promise.all(customers.map((customer) => customer.call()));
  }
}

const oneAddress = ['127.0.0.2'];
/** So many that each keeps within its share. */
const manyAddresses = Array.from({ length: 50 }, (_, number) => `127.0.1.${number + 1}`);
const kinds = [
  { kind: 'never say anything', firstWords: '' },
  { kind: 'say nothing after one request', firstWords: 'GET /nothing/here HTTP/1.1\r\nHost: a\r\n\r\n' },
];

describe.each(kinds)(`${attackers} connections that $kind`, ({ firstWords }) => {
  it(
    'from one address leave room for other clients, also for those at the same address',
    async () => {
      const customers = [new Customer(customerAddress), new Customer(oneAddress[0] ?? '')];
      await flood(oneAddress, firstWords, customers);
      report(customers);
      expect(customers.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
      await eventually(async () => {
        await Promise.resolve();
        expect(silent.open).toBeLessThanOrEqual(perAddressMost);
      }, 5_000);
    },
    timeoutMs,
  );

  it(
    'from many addresses give way to clients that send requests',
    async () => {
      const customers = [new Customer(customerAddress)];
      await flood(manyAddresses, firstWords, customers);
      report(customers);
      expect(customers.flatMap(({ problems }) => problems).slice(0, 20)).toEqual([]);
      await eventually(async () => {
        await Promise.resolve();
        expect(silent.open).toBeLessThanOrEqual(connectionsMost);
      }, 5_000);
    },
    timeoutMs,
  );
});

function report(customers: readonly Customer[]): void {
  const calls = customers.reduce((sum, customer) => sum + customer.calls, 0);
  const failed = customers.reduce((sum, { problems }) => sum + problems.length, 0);
  process.stdout.write(
    `${calls} calls beside ${attackers} silent connections, ${failed} failed; ${silent.open} silent ones are open\n`,
  );
}
