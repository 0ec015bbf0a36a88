import { type FastifyReply } from 'fastify';
import { type Exchange } from '../connections/exchange.js';
import { inTwoParts } from './in-two-parts.js';
import { type OpenCharge } from './open-charge.js';

/** What a call cost and what is left, as every paid answer says it (spec 2.4). */
export interface Credits {
  readonly credits_used: number;
  readonly credits_remaining: number;
  readonly warning?: string;
}

/** An answer whose credits have been taken, pending: send it or give it up. Without either, the end of its exchange voids it. */
export class PaidAnswer {
  constructor(
    readonly credits: Credits,
    private readonly open: OpenCharge,
    private readonly exchange: Exchange,
    private readonly reply: FastifyReply,
  ) {}

  /**
   * Sends the JSON: the charge is posted once all of it has been handed over, else voided. `null` is a 304, for a client
   * that has the answer already.
   */
  send(bytes: Buffer | null): void {
    this.open.deliver();
    if (bytes === null) return void this.reply.code(304).send();
    void this.reply.type('application/json; charset=utf-8').header('content-length', bytes.length);
    void this.reply.send(this.exchange.mayBeGone ? inTwoParts(bytes, this.exchange) : bytes);
  }

  /** Voids at once: there is no answer to pay for. */
  giveUp(): void {
    this.open.giveUp();
  }
}
