import { Readable } from 'node:stream';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { type Credits } from '#contracts';
import { counter } from '#platform';
import { type FastifyReply } from 'fastify';
import { type Exchange } from '../edge/connections/exchange.js';
import { type Settler } from './settler.js';

const possibleEnds = ['handed_over', 'abandoned', 'given_up'] as const;
type End = (typeof possibleEnds)[number];

const ends = counter(
  'charged_calls_total',
  'Calls that credits were taken for, by their end: the answer handed over, the call abandoned by its client, or given up here.',
  { end: possibleEnds },
);

interface ChargeOptions {
  readonly id: string;
  readonly accountId: string;
  readonly exchange: Exchange;
  /** `null`: no credits are taken, and nothing is settled or counted as charged. */
  readonly settler: Pick<Settler, 'settle'> | null;
  /** Called when the client has left before anything of its answer was written, while credits were taken. */
  readonly whenLeftUnanswered: () => void;
}

/**
 * One charge from the gateway's side, from when it is sent to billing until it is settled, exactly once. The end of its
 * exchange decides: the paid answer handed over whole while the connection was alive means post. When its client has left in the
 * middle of it, billing decides. Anything else means void.
 */
export class Charge {
  /** Whether the call repeats one that was paid before, once billing has answered. */
  isRepeat = false;
  private taken: Credits | null = null;
  private mayBeTaken = false;
  private delivering = false;
  private hasBegun = (): boolean => false;
  private settled = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: ChargeOptions) {
    options.exchange.onEnd((end) => {
      clearTimeout(this.timer);
      this.settle(end === 'handed_over' && !this.delivering ? 'given_up' : end);
    });
  }

  /** Made here, never what the caller sent: it makes a repeated charge message harmless. */
  get id(): string {
    return this.options.id;
  }

  /**
   * The charge is about to be sent: from now on credits may have been taken, and the answer has to be handed over within
   * `handOverMs`, else the connection is ended: a charge that is settled too late is voided by billing, and its client must not
   * have the whole answer. Its client was too slow, unless this process was. A charge of 0 credits has nothing to settle.
   */
  markSent(credits: number, handOverMs: number): void {
    this.mayBeTaken = credits > 0;
    if (!this.mayBeTaken) return;
    const { exchange } = this.options;
    const dueAt = performance.now() + handOverMs;
    this.timer = setTimeout(() => {
      if (!this.hasBegun() || performance.now() - dueAt > stalledMs) exchange.giveUp();
      exchange.abort();
    }, handOverMs).unref();
  }

  /** Billing took no credits: there is nothing to settle, and no hurry. */
  release(): void {
    this.mayBeTaken = false;
    clearTimeout(this.timer);
  }

  /** Billing has taken the credits. */
  markCharged(credits: Credits, isRepeat: boolean): void {
    this.taken = credits;
    this.isRepeat = isRepeat;
  }

  /** What the call cost, for the body of its answer. */
  get credits(): Credits {
    if (!this.taken) throw new Error('there are no credits before billing has answered');
    return this.taken;
  }

  /**
   * What is to be sent as the paid answer, with its headers set on the reply: the charge is posted once all of it has been
   * handed over. `null` is a 304, for a client that has the answer already.
   */
  answer(reply: FastifyReply, json: Buffer | null): Buffer | Readable | undefined {
    const { exchange } = this.options;
    const { credits_used, credits_remaining, warning } = this.credits;
    void reply.headers({ 'x-credits-used': credits_used, 'x-credits-remaining': credits_remaining });
    if (warning !== undefined) void reply.header('x-credits-warning', warning);
    if (this.isRepeat) void reply.header('idempotent-replayed', 'true');
    this.deliver();
    if (json === null) {
      void reply.code(304);
      return undefined;
    }
    void reply.type('application/json; charset=utf-8').header('content-length', json.length);
    const begin = (): void => void this.beginAnswer(reply);
    if (exchange.mayBeGone) return inTwoParts(json, exchange, begin);
    begin();
    return json;
  }

  /** The answer is about to be written: a turn later that has failed if the client had gone before. */
  private async beginAnswer({ raw }: FastifyReply): Promise<void> {
    await turn();
    if (!this.options.exchange.isBroken) this.hasBegun = () => raw.headersSent;
  }

  /** The paid response, and not an error, is being written. */
  deliver(): void {
    this.delivering = true;
  }

  /** Voids at once: something failed after the charge was sent, or there is no answer to pay for. */
  voidNow(): void {
    this.settle('given_up');
  }

  private settle(end: End): void {
    if (this.settled || !this.mayBeTaken) return;
    this.settled = true;
    const { id, accountId, settler, whenLeftUnanswered } = this.options;
    const hasLeftEarly = end === 'abandoned' && this.hasBegun();
    if (end === 'abandoned' && !hasLeftEarly) whenLeftUnanswered();
    const outcome = end === 'handed_over' ? 'posted' : hasLeftEarly ? 'abandoned' : 'voided';
    if (settler === null) return;
    ends.inc({ end });
    settler.settle({ charge_id: id, account_id: accountId, outcome });
  }
}

/** A timer that is so late, ms, shows that this process stood still, and with it every answer. */
const stalledMs = 1_000;

/** Longer than any client's round trip. */
const roundTripMs = 300;

/**
 * An answer for a client that has closed its side of the connection. It may still read, or it may have gone: only sending a
 * packet shows which, because a client that has gone answers it with a reset. So the rest, with which the answer begins in
 * earnest, is written a round trip after the first byte, and not if the client has gone. Once it has arrived, further answers on
 * the connection are sent at once.
 */
function inTwoParts(bytes: Buffer, exchange: Exchange, onBegin: () => void): Readable {
  exchange.onEnd((end) => {
    if (end === 'handed_over') exchange.confirmClient();
  });
  return Readable.from(parts(bytes, onBegin), { objectMode: false });
}

async function* parts(bytes: Buffer, onBegin: () => void): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, 1);
  await delay(roundTripMs);
  onBegin();
  yield bytes.subarray(1);
}
