import { charge, type ChargeReply, type ChargeRequest, ServiceError } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { AccountLinks } from '../account-pages/paths/account-links.js';
import { KeyCache } from '../authentication/key-cache.js';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { InsufficientCreditsError } from '../errors/insufficient-credits.error.js';
import { clientGone } from '../errors/refused.error.js';
import { type PublicCall } from '../http/calls/public-call.js';
import { AbandonedCalls } from '../rate-limit/abandoned-calls.js';
import { FreeCallLimit } from '../rate-limit/free-call-limit.js';
import { creditsWarning } from '../text/credits-warning.js';
import { OpenCharge } from './open-charge.js';
import { type Credits, PaidAnswer } from './paid-answer.js';
import { Settler } from './settler.js';

/** What is charged for: the operation, its price, and what explains the price or marks a repetition. */
export type Metered = Omit<ChargeRequest, 'charge_id' | 'account_id' | 'key_id' | 'request_id'>;

type Refused = Exclude<ChargeReply, { outcome: 'charged' }>;

interface MeteringConfig {
  /** Longest time from a charge until its whole answer is handed over, ms; less than the pending time-out. */
  readonly HAND_OVER_MS: number;
}

/**
 * Takes credits for a response and sends it. The charge is pending first, posted once the response has been handed to
 * the client's socket, and voided in every other case (design 3).
 */
@Injectable()
export class MeteringService {
  constructor(
    private readonly services: ServiceClient,
    private readonly settler: Settler,
    private readonly keyCache: KeyCache,
    private readonly freeCalls: FreeCallLimit,
    private readonly links: AccountLinks,
    private readonly abandoned: AbandonedCalls,
    @Inject(CONFIG) private readonly config: MeteringConfig,
  ) {}

  /**
   * Charges, then sends the body that `body` builds from the credits; `null` for a client that has it already: a 304.
   * Throws when the response can't be sent.
   */
  async respond(
    call: PublicCall,
    reply: FastifyReply,
    metered: Metered,
    body: (credits: Credits) => Buffer | null,
  ): Promise<void> {
    const paid = await this.take(call, reply, metered);
    try {
      paid.send(body(paid.credits));
    } catch (error) {
      paid.giveUp();
      throw error;
    }
  }

  /**
   * For a call that repeats another one, or asks for what the client may have already: before any work, throws `rate_limited`
   * when its account is known to have made too many calls that cost nothing.
   */
  refuseExcessive(call: PublicCall, reply: FastifyReply): void {
    this.freeCalls.refuseWhenFull(call, reply);
  }

  /**
   * Charges for an answer that is made afterwards: `send` it or `giveUp`. Throws when nothing can be charged for, and
   * `rate_limited` for a key that has abandoned too many calls.
   */
  async take(call: PublicCall, reply: FastifyReply, metered: Metered): Promise<PaidAnswer> {
    const exchange = exchangeOf(reply.request);
    if (exchange.isOver) throw clientGone;
    const { account_id, key_id } = call.key;
    this.abandoned.refuseIfTooMany(key_id, reply);
    const open = new OpenCharge(uuidv7(), account_id, exchange, this.settler, () =>
      this.abandoned.note(key_id),
    );
    try {
      const credits = await this.charge(call, reply, metered, open);
      return new PaidAnswer(credits, open, exchange, reply);
    } catch (error) {
      open.giveUp();
      throw error;
    }
  }

  /** Takes the credits, and sets the headers that tell of them. Whether a call repeats a paid one, only billing knows. */
  private async charge(
    call: PublicCall,
    reply: FastifyReply,
    metered: Metered,
    open: OpenCharge,
  ): Promise<Credits> {
    const { account_id, key_id } = call.key;
    const message = { charge_id: open.id, account_id, key_id, request_id: call.requestId, ...metered };
    if (metered.credits === 0) await this.freeCalls.admit(call, reply);
    open.begin(metered.credits, this.config.HAND_OVER_MS);
    const charged = await this.services.request(charge, message, call.context());
    if (charged.outcome !== 'charged') {
      open.nothingTaken();
      throw this.refusal(call, reply, charged);
    }
    const { credits_used, credits_remaining } = charged;
    if (credits_used === 0) open.nothingTaken();
    if (credits_used < metered.credits) await this.freeCalls.admit(call, reply);
    call.assertInTime();
    if (charged.is_repeat) void reply.header('idempotent-replayed', 'true');
    void reply.headers({ 'x-credits-used': credits_used, 'x-credits-remaining': credits_remaining });
    const warning = creditsWarning(credits_remaining);
    if (warning === undefined) return { credits_used, credits_remaining };
    void reply.header('x-credits-warning', warning);
    return { credits_used, credits_remaining, warning };
  }

  private refusal(call: PublicCall, reply: FastifyReply, refused: Refused): Error {
    switch (refused.outcome) {
      case 'insufficient_credits':
        return new InsufficientCreditsError(
          refused.credits_needed,
          refused.credits_remaining,
          this.links.buy,
        );
      case 'key_revoked':
        this.keyCache.forget(call.keyHash);
        return new ServiceError('unauthorized', `This API key is not active.${this.links.keysHint}`);
      case 'voided':
        return new ServiceError(
          'unavailable',
          'The call was cancelled before it was charged; try again shortly.',
        );
      case 'idempotency_key_reused':
        return new ServiceError(
          'idempotency_key_reused',
          'This Idempotency-Key belongs to another call; use a new one for each call, and the same one only to repeat it.',
        );
      case 'earlier_call_pending':
        void reply.header('retry-after', '1');
        return new ServiceError(
          'conflict',
          'The call with this Idempotency-Key is still being answered; repeat it shortly.',
        );
    }
  }
}
