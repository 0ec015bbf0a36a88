import { type Stack } from '@app/local-stack';
import { createFundedAccount } from '../support/accounts.js';
import { seed } from '../support/random.js';
import { WireConnection } from '../support/wire-connection.js';
import { ledgerAftermath, ledgerInOrder, requestsLeftInFlight } from './support/aftermath.js';
import { LargeAnswers } from './support/large-answers.js';
import { startOperatedStack } from './support/operated-stack.js';
import { deliveriesOf, textOf } from './support/wire-requests.js';

/** Within the rate limit of one key. */
const searches = 60;
const profiles = 1_000;
const readMost = 300_000;
/**
 * The kernel keeps what the gateway has written and nobody has read: at most `tcp_wmem` of the one socket and what the other
 * took before its window closed. Measured on loopback: 3.9 MB.
 */
const kernelKeepsMost = 8_000_000;

let stack: Stack;
let large: LargeAnswers;

beforeAll(async () => {
  stack = await startOperatedStack();
  large = await LargeAnswers.create(stack.publicUrl);
}, 120_000);

afterAll(() => stack?.stop());

/** Of one client after the other, so that none of them is refused because of the others. */
it.each([
  { answers: `${searches} searches of 100 creators`, kind: 'search', count: searches },
  { answers: `${profiles} profiles`, kind: 'profile', count: profiles },
] as const)(
  'a client that reads a little of $answers and leaves pays only for answers that had left the gateway whole',
  async ({ kind, count }) => {
    for (const readBytes of [0, 1, seed % readMost]) {
      const account = await createFundedAccount({ credits: 10_000 });
      const requests = Array.from({ length: count }, () => large.request(kind, account.key));
      const connection = await WireConnection.open(stack.publicUrl, { isPaused: true });
      await connection.send(textOf(requests));
      if (readBytes > 0) connection.read(readBytes);
      await connection.whenHandedOver(large.leastBytes(kind));
      const handedOver = await connection.whenStalled();
      connection.reset();

      const leftMost = Math.floor(handedOver / large.leastBytes(kind));
      const deliveries = deliveriesOf(requests, connection.answers);
      const ledger = await ledgerAftermath(account.id, deliveries);
      process.stdout.write(
        `${kind}: ${JSON.stringify({ readBytes, handedOver, leftMost, ledger })} E2E_SEED=${seed}\n`,
      );
      expect(handedOver).toBeLessThan(readBytes + kernelKeepsMost);
      expect(leftMost).toBeLessThan(count);
      expect(ledger).toMatchObject(ledgerInOrder);
      expect(ledger.creditsTaken).toBeLessThanOrEqual(leftMost * (requests[0]?.credits ?? 0));
      expect(await requestsLeftInFlight(stack)).toBe(0);
    }
  },
  60_000,
);
