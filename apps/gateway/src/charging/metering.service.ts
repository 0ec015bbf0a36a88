import { charge, type ChargeReply, type Operation, ServiceError } from '@app/contracts';
import { CONFIG } from '@app/platform';
import { ServiceClient } from '@app/transport';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { KeyCache } from '../authentication/key-cache.js';
import { exchangeOf } from '../connections/exchange-of-request.js';
import { InsufficientCreditsError } from '../errors/insufficient-credits.error.js';
import { clientGone } from '../errors/refused.error.js';
import { type PublicCall } from '../http/public-call.js';
import { creditsWarning } from '../text/credits-warning.js';
import { inTwoParts } from './in-two-parts.js';
import { OpenCharge } from './open-charge.js';
import { Settler } from './settler.js';

export interface Metered {
  readonly operation: Operation;
  readonly credits: number;
}

export interface Credits {
  readonly credits_used: number;
  readonly credits_remaining: number;
  readonly warning?: string;
}

type Charged = Extract<ChargeReply, { outcome: 'charged' }>;

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
    @Inject(CONFIG) private readonly config: MeteringConfig,
  ) {}

  /** Charges, then sends the body that `body` builds from the credits. Throws when the response can't be sent. */
  async respond(
    call: PublicCall,
    reply: FastifyReply,
    metered: Metered,
    body: (credits: Credits) => Buffer,
  ): Promise<void> {
    const exchange = exchangeOf(reply.request);
    if (exchange.isOver) throw clientGone;
    const open = new OpenCharge(uuidv7(), call.key.account_id, exchange, this.settler);
    try {
      const { credits_used, credits_remaining } = await this.charge(call, metered, open);
      call.assertInTime();
      const warning = creditsWarning(credits_remaining);
      if (warning !== undefined) void reply.header('x-credits-warning', warning);
      const bytes = body({ credits_used, credits_remaining, ...(warning === undefined ? {} : { warning }) });
      open.deliver();
      void reply.type('application/json; charset=utf-8').header('content-length', bytes.length);
      void reply.send(exchange.mayBeGone ? inTwoParts(bytes, exchange) : bytes);
    } catch (error) {
      open.giveUp();
      throw error;
    }
  }

  private async charge(
    call: PublicCall,
    { operation, credits }: Metered,
    open: OpenCharge,
  ): Promise<Charged> {
    const { account_id, key_id } = call.key;
    const message = {
      charge_id: open.id,
      account_id,
      key_id,
      request_id: call.requestId,
      operation,
      credits,
    };
    open.begin(credits, this.config.HAND_OVER_MS);
    const reply = await this.services.request(charge, message, call.context());
    if (reply.outcome === 'charged') return reply;
    open.nothingTaken();
    switch (reply.outcome) {
      case 'insufficient_credits':
        throw new InsufficientCreditsError(reply.credits_needed, reply.credits_remaining);
      case 'key_revoked':
        this.keyCache.forget(call.keyHash);
        throw new ServiceError('unauthorized', 'This API key is not active.');
      case 'voided':
        throw new ServiceError(
          'unavailable',
          'The call was cancelled before it was charged; try again shortly.',
        );
    }
  }
}
