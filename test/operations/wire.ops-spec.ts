import { type Stack } from '#dev';
import { eventually, Metrics } from '#testing';
import { createFundedAccount, type TestAccount } from '../support/accounts.js';
import { type Delivery } from '../support/deliveries.js';
import { api } from '../support/public-api.js';
import { seed } from '../support/random.js';
import { SuiteCatalog } from '../support/suite-catalog.js';
import { WireConnection } from '../support/wire-connection.js';
import {
  ledgerAftermath,
  ledgerInOrder,
  requestsLeftInFlight,
  statusesOfBurst,
} from './support/aftermath.js';
import { LargeAnswers } from './support/large-answers.js';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf, type WireRequest, wireRequests } from './support/wire-requests.js';

// Thousands of requests are written.
jest.setTimeout(60_000);

const connectionCount = 12;
const requestsEach = Number(process.env.PIPELINED_REQUESTS ?? 100);
const requestCount = connectionCount * requestsEach;
const burst = 32;
/** How many answers the gateway may hand over to a connection between our last look at it and our leaving, on a busy machine. */
const answersMeanwhile = 20;
/** At most so many bytes are read before a client leaves large answers. */
const readMost = 300_000;
const seededRead = (seed * 48_611) % readMost;
/**
 * The kernel keeps what the gateway has written and the client has not read: at most `tcp_wmem` of the one socket and what the other
 * took before its window closed. Measured on loopback: 3.9 MB.
 */
const kernelKeepsMost = 8_000_000;
const catalog = new SuiteCatalog();
const creator = catalog.record('someone', { name: catalog.marker });
const search = { path: `/api/public/v1/search?q=${catalog.marker}`, credits: 2 };
const profile = { path: `/api/public/v1/creators/${creator.slug}`, credits: 1 };
const unknown = { path: '/nothing/here', credits: 0 };

let stack: Stack;
let large: LargeAnswers;
let bystander: TestAccount;
let smallestPaidBytes: number;

beforeAll(async () => {
  stack = await startOperatedStack();
  await catalog.importVisible([creator]);
  large = await LargeAnswers.create(stack.publicUrl);
  bystander = await createFundedAccount({ credits: 100_000 });
  smallestPaidBytes = await bytesOfProfile();
}, 120_000);

afterAll(() => stack?.stop());

/** A gateway that one test has broken does not fail the next one. */
afterEach(async () => {
  if ((await requestsLeftInFlight(stack, 0)) !== 0) await stack.restartService('gateway');
}, 30_000);

interface Left {
  readonly deliveries: Delivery[];
  /** What left the gateway whole may cost so much, as far as the client can tell. */
  readonly creditsMost: number;
}

type Leave = (connection: WireConnection, requests: readonly WireRequest[]) => Promise<Left>;

/**
 * How a client leaves that has written all of its requests at once. Without keys, over TLS and other endings:
 * apps/gateway/src/edge/connections/connections.int-spec.ts.
 */
const ways: Readonly<Record<string, Leave>> = {
  'resets it at once': async (connection, requests) => {
    await connection.send(textOf(requests));
    connection.reset();
    return unread(requests, 0);
  },
  'closes it at once': async (connection, requests) => {
    await connection.send(textOf(requests));
    connection.close();
    return unread(requests, 0);
  },
  'reads nothing for a moment and resets it': async (connection, requests) => {
    await connection.send(textOf(requests));
    await connection.whenHandedOver(1);
    const handedOver = connection.bytesHandedOver;
    connection.reset();
    return unread(requests, handedOver);
  },
  'half-closes it and reads on': async (connection, requests) => {
    connection.read();
    await connection.halfClose(textOf(requests));
    await connection.ended;
    connection.close();
    return { deliveries: deliveriesOf(requests, connection.answers, 0), creditsMost: Infinity };
  },
};

function unread(requests: readonly WireRequest[], handedOver: number): Left {
  const answers = Math.floor(handedOver / smallestPaidBytes) + answersMeanwhile;
  return { deliveries: deliveriesOf(requests, []), creditsMost: answers * (requests[0]?.credits ?? 0) };
}

/** All connections at once; a third of them against each of the targets. */
async function attack(leave: Leave, keys: readonly string[]): Promise<Left> {
  const attackers = await Promise.all(
    Array.from({ length: connectionCount }, async (_, number) => {
      const target = [search, profile, unknown][number % 3] ?? unknown;
      const connection = await WireConnection.open(stack.publicUrl, { isPaused: true });
      return { connection, requests: wireRequests(requestsEach, target, keys) };
    }),
  );
  const left = await Promise.all(attackers.map(({ connection, requests }) => leave(connection, requests)));
  return {
    deliveries: left.flatMap(({ deliveries }) => deliveries),
    creditsMost: left.reduce((sum, { creditsMost }) => sum + creditsMost, 0),
  };
}

it.each(Object.entries(ways))(
  `a client that %s after ${requestCount} requests in ${connectionCount} writes leaves nothing in flight, and others are served`,
  async (name, leave) => {
    const account = await createFundedAccount({ credits: 10_000, keys: 5 });
    const { deliveries, creditsMost } = await attack(
      leave,
      account.keys.map(({ key }) => key),
    );
    const unanswered = deliveries.filter(({ arrived }) => arrived !== 'whole').length;
    const statuses = await statusesOfBurst(burst, creator.slug, bystander.key);
    const inFlight = await requestsLeftInFlight(stack);
    const ledger = await ledgerAftermath(account.id, deliveries);
    expect({ statuses, inFlight, unanswered, ledger }).toMatchObject({
      statuses: { 200: burst },
      inFlight: 0,
      unanswered: name.startsWith('half-closes') ? 0 : requestCount,
      ledger: ledgerInOrder,
    });
    expect(ledger.creditsTaken).toBeLessThanOrEqual(creditsMost);
  },
);

it('nothing is charged for requests whose client leaves before any of them can be charged', async () => {
  const account = await createFundedAccount({ credits: 1_000 });
  const connection = await WireConnection.open(stack.publicUrl);
  const requests = wireRequests(requestsEach, profile, [account.key]);
  const readBefore = await messagesRead();
  // The first call makes the key known to the gateway for a second, so that the others get as far as their charge.
  await connection.send(textOf(requests.slice(0, 1)));
  await connection.whenAnswered(1);
  stack.replica('billing').kill('SIGSTOP');
  try {
    await connection.send(textOf(requests.slice(1)));
    // On a slower machine they only get as far as the look-up of the key: nothing may be taken then either.
    await eventually(async () => expect(await messagesRead()).toBeGreaterThan(readBefore + 1)).catch(
      () => undefined,
    );
    connection.reset();
    // A whole call later the gateway has seen the reset.
    expect((await api.send(unknown.path)).status).toBe(404);
  } finally {
    stack.replica('billing').kill('SIGCONT');
  }
  const ledger = await ledgerAftermath(account.id, deliveriesOf(requests, connection.answers, 0));
  expect(ledger).toMatchObject({ ...ledgerInOrder, creditsTaken: 1, creditsArrived: 1 });
  expect(await requestsLeftInFlight(stack)).toBe(0);
});

/** One client after the other, so that none of them is refused because of the others; searches within the limit of a key. */
it.each([
  { kind: 'search', count: 60, reads: [0, 1, seededRead] },
  { kind: 'profile', count: 600, reads: [seededRead] },
] as const)(
  'a client that reads a little of $count large answers ($kind) and leaves pays only for those that left the gateway whole',
  async ({ kind, count, reads }) => {
    for (const readBytes of reads) {
      const account = await createFundedAccount({ credits: 10_000 });
      const requests = Array.from({ length: count }, () => large.request(kind, account.key));
      const connection = await WireConnection.open(stack.publicUrl, { isPaused: true });
      await connection.send(textOf(requests));
      if (readBytes > 0) connection.read(readBytes);
      await connection.whenHandedOver(large.leastBytes(kind));
      const handedOver = await connection.whenStalled();
      connection.reset();

      const leftMost = Math.floor(handedOver / large.leastBytes(kind));
      const ledger = await ledgerAftermath(account.id, deliveriesOf(requests, connection.answers));
      process.stdout.write(
        `${kind}: ${JSON.stringify({ readBytes, handedOver, leftMost, ledger })} TEST_SEED=${seed}\n`,
      );
      expect(handedOver).toBeLessThan(readBytes + kernelKeepsMost);
      expect(leftMost).toBeLessThan(count);
      expect(ledger).toMatchObject(ledgerInOrder);
      expect(ledger.creditsTaken).toBeLessThanOrEqual(leftMost * (requests[0]?.credits ?? 0));
      expect(await requestsLeftInFlight(stack)).toBe(0);
    }
  },
);

/** Messages that the catalog has answered. */
async function messagesRead(): Promise<number> {
  const metrics = await Metrics.of(stack.internalUrls.catalog[0] ?? '');
  return metrics.sum('message_handle_duration_seconds_count');
}

async function bytesOfProfile(): Promise<number> {
  const connection = await WireConnection.open(stack.publicUrl);
  await connection.send(textOf(wireRequests(1, profile, [bystander.key])));
  const [answer] = await connection.whenAnswered(1);
  connection.close();
  return answer?.bytes ?? 0;
}
