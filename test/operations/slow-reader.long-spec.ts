import { setTimeout as pause } from 'node:timers/promises';
import { type Stack } from '#dev';
import { createFundedAccount } from '../support/accounts.js';
import { WireConnection } from '../support/wire-connection.js';
import { ledgerAftermath, ledgerInOrder, requestsLeftInFlight } from './support/aftermath.js';
import { LargeAnswers } from './support/large-answers.js';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf, wholeWithin, type WireRequest } from './support/wire-requests.js';

const rounds = 20;
const profilesPerSearch = 3;
/** Far slower than an answer may take to be handed over, and about as slow. */
const trickles = [7_000, 16_384];
const trickleMs = 100;
/** Longer than a charge may be pending (30 s by default). */
const trickleForMs = 33_000;

let stack: Stack;
let large: LargeAnswers;

beforeAll(async () => {
  stack = await startOperatedStack();
  large = await LargeAnswers.create(stack.publicUrl);
}, 120_000);

afterAll(() => stack?.stop());

it.each(trickles)(
  'a client that reads for longer than a charge may be pending, %d bytes at a time, pays for every answer that arrives whole, and for no other',
  async (trickleBytes) => {
    const account = await createFundedAccount({ credits: 1_000 });
    const requests: WireRequest[] = [];
    const sizes: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (let number = 0; number <= profilesPerSearch; number++) {
        const kind = number === 0 ? 'search' : 'profile';
        requests.push(large.request(kind, account.key));
        sizes.push(large.leastBytes(kind));
      }
    }
    /** After an end in good order all that was handed over has arrived; a reset may have taken some answers away. */
    const answersLost = (): number => {
      const arrived = connection.answers.reduce((sum, { bytes }) => sum + bytes, 0);
      return wholeWithin(handedOver + trickleBytes - arrived, sizes.slice(connection.answers.length)) + 1;
    };
    const connection = await WireConnection.open(stack.publicUrl, { isPaused: true });
    const startedAt = performance.now();
    await connection.send(textOf(requests));

    let handedOver = 0;
    while (connection.isOpenAtServer && performance.now() - startedAt < trickleForMs) {
      connection.read(trickleBytes);
      await pause(trickleMs);
      handedOver = Math.max(handedOver, connection.bytesHandedOver);
    }
    const trickledMs = performance.now() - startedAt;
    connection.read();
    const end = await connection.whenAnswered(requests.length).catch(() => connection.ended);
    const arrived = connection.answers.length;
    connection.close();

    const leftMost = end === 'broken' ? arrived + answersLost() : arrived;
    const ledger = await ledgerAftermath(account.id, deliveriesOf(requests, connection.answers, leftMost));
    process.stdout.write(
      `${arrived} of ${requests.length} answers arrived, ${Math.round(trickledMs / 1_000)} s read slowly: ${JSON.stringify(ledger)}\n`,
    );
    expect(connection.answers.map(({ status }) => status)).toEqual(connection.answers.map(() => 200));
    expect(ledger).toMatchObject(ledgerInOrder);
    expect(await requestsLeftInFlight(stack)).toBe(0);
  },
  90_000,
);
