import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { send, type Reply } from './http.js';
import { type LedgerEntry } from './admin-api.js';
import { type CreditFields } from './public-api.js';
import { chargesByRequest } from './reckoning.js';

/** A call as its caller means it, however often it is sent. */
export interface IntendedCall {
  readonly key: string;
  readonly path: string;
  /** What it costs, unless the client has it already. */
  readonly price: number;
  /** Tag of what the client has. */
  readonly etag?: string | undefined;
}

/** A call that was sent under one `Idempotency-Key` until it was answered. */
export interface AnsweredCall extends IntendedCall {
  /** One for each time that it was sent. */
  readonly requestIds: string[];
  /** 200, or 304 for what the client has already. */
  readonly reply: Reply<CreditFields | undefined>;
  /** Times of `performance.now()` at which the last one was sent and answered, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const pauseMostMs = 100;

/**
 * Sends a call until it is answered with a success, as a careful client does: always under the same `Idempotency-Key`, soon
 * after a lost answer, and after `Retry-After` where the service asks for that. Throws when repeating cannot help.
 */
export async function callUntilAnswered(origin: string, call: IntendedCall): Promise<AnsweredCall> {
  const idempotencyKey = randomUUID();
  const requestIds: string[] = [];
  for (;;) {
    const requestId = randomUUID();
    const startedAt = performance.now();
    const headers = {
      authorization: `Bearer ${call.key}`,
      'idempotency-key': idempotencyKey,
      'x-request-id': requestId,
      ...(call.etag === undefined ? {} : { 'if-none-match': call.etag }),
    };
    const reply = await send<CreditFields | undefined>(origin, call.path, { headers }).catch(() => null);
    requestIds.push(requestId);
    if (reply && (reply.status === 200 || reply.status === 304)) {
      return { ...call, requestIds, reply, startedAt, endedAt: performance.now() };
    }
    const retryAfter = reply?.headers['retry-after'];
    if (reply && retryAfter === undefined) {
      throw new Error(`${call.path} was answered with ${reply.status}: ${reply.text}`);
    }
    await wait(retryAfter === undefined ? Math.random() * pauseMostMs : Number(retryAfter) * 1_000);
  }
}

/** Compares what answered calls should have cost with what the ledger took for them, all requests of a call together. */
export function reckonCalls(calls: readonly AnsweredCall[], entries: readonly LedgerEntry[]) {
  const { charges, taken, kept } = chargesByRequest(entries);
  const known = new Set(calls.flatMap(({ requestIds }) => requestIds));
  const takenFor = ({ requestIds }: AnsweredCall): number =>
    requestIds.reduce((sum, id) => sum + (taken.get(id) ?? 0), 0);
  const keptFor = ({ requestIds }: AnsweredCall): number =>
    requestIds.reduce((sum, id) => sum + (kept.get(id)?.size ?? 0), 0);
  return {
    priceOfAll: calls.reduce((sum, call) => sum + priceOf(call), 0),
    /** Calls that were charged more than they cost, or more than once for each six times that they were sent. */
    overpaid: calls.filter(
      (call) => keptFor(call) > paymentsMost(call) || takenFor(call) > priceOf(call) * paymentsMost(call),
    ),
    underpaid: calls.filter((call) => takenFor(call) < priceOf(call)),
    foreign: charges.filter(({ request_id }) => !known.has(request_id ?? '')),
  };
}

/** Five repetitions of a paid call are free, whether their answers arrive or not; the next one is paid. */
function paymentsMost({ requestIds }: AnsweredCall): number {
  return Math.ceil(requestIds.length / 6);
}

/** What the client has of the call costs its price, and nothing when it had that before. */
function priceOf({ reply, price }: AnsweredCall): number {
  return reply.status === 304 ? 0 : price;
}
