import { Readable } from 'node:stream';
import { type Exchange } from '../connections/exchange.js';
import { setTimeout as delay } from 'node:timers/promises';

/** Longer than any client's round trip. */
const roundTripMs = 300;

/**
 * An answer for a client that has closed its side of the connection. It may still read, or it may have gone: only sending a
 * packet shows which, because a client that has gone answers it with a reset. So the rest is written a round trip after the
 * first byte, and fails if the client has gone. Once it has arrived, further answers on the connection are sent at once.
 */
export function inTwoParts(bytes: Buffer, exchange: Exchange): Readable {
  exchange.onEnd((end) => {
    if (end === 'handed_over') exchange.confirmClient();
  });
  return Readable.from(parts(bytes), { objectMode: false });
}

async function* parts(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, 1);
  await delay(roundTripMs);
  yield bytes.subarray(1);
}
