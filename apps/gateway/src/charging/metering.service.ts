import { charge, type ChargeReply, type ChargeRequest, type Credits, ServiceError } from '#contracts';
import { CONFIG } from '#platform';
import { ServiceClient } from '#transport';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { AccountLinks } from '../errors/account-links.js';
import { KeyCache } from '../authentication/key-cache.js';
import { clientGone, InsufficientCreditsError, KeyLimitError } from '../errors/gateway-errors.js';
import { AbandonedCalls, FreeCallLimit } from '../rate-limit/unpaid-calls.js';
import { type Call } from '../requests/call.js';
import { creditsWarning } from '../text/counted.js';
import { Charge } from './charge.js';
import { type Metered, type Repetition } from './price-search.js';
import { Settler } from './settler.js';
import { UnpayableSearches } from './unpayable-searches.js';
import { type GatewayConfig } from '../config/gateway-config.js';

type Refused = Exclude<ChargeReply, { outcome: 'charged' }>;
type Unpaid = Extract<ChargeReply, { outcome: 'insufficient_credits' }>;

/**
 * Takes credits for an answer. The charge is pending first, posted once the answer has been handed to the client's socket,
 * and voided in every other case.
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
    private readonly unpayable: UnpayableSearches,
    @Inject(CONFIG) private readonly config: Pick<GatewayConfig, 'HAND_OVER_MS'>,
  ) {}

  /**
   * Charges for an answer that is made afterwards: send what its `answer` returns, or `voidNow`. Throws when nothing can be
   * charged for, and `rate_limited` for a key that has abandoned too many calls.
   */
  async reserve(reply: FastifyReply, metered: Metered & Repetition): Promise<Charge> {
    const { call } = reply.request;
    const { exchange } = call;
    if (exchange.isOver) throw clientGone;
    const { account_id: accountId, key_id } = call.key;
    const settler = call.isTest ? null : this.settler;
    this.abandoned.assertWithin(key_id, reply);
    const whenLeftUnanswered = (): void => this.abandoned.record(key_id);
    const pending = new Charge({ id: uuidv7(), accountId, exchange, settler, whenLeftUnanswered });
    try {
      await (call.isTest ? this.chargeTest(reply, metered, pending) : this.charge(reply, metered, pending));
      return pending;
    } catch (error) {
      pending.voidNow();
      throw error;
    }
  }

  /** A call of a test key costs nothing: it counts as a free one, is not stored, and is never a repetition. */
  private async chargeTest(reply: FastifyReply, { credits }: Metered, pending: Charge): Promise<void> {
    const { call } = reply.request;
    await this.freeCalls.admit(call.scope, reply);
    pending.markSent(credits, this.config.HAND_OVER_MS);
    call.assertInTime();
    pending.markCharged(creditsOf(credits, call.testBalance), false);
  }

  /** Takes the credits. Whether a call repeats a paid one, only billing knows. */
  private async charge(reply: FastifyReply, metered: Metered & Repetition, pending: Charge): Promise<void> {
    const { call } = reply.request;
    const { account_id, key_id } = call.key;
    const { hash: key_hash = '' } = call.presentedKey;
    const message = {
      charge_id: pending.id,
      account_id,
      key_id,
      key_hash,
      request_id: call.requestId,
      ...metered,
    };
    if (metered.credits === 0) await this.freeCalls.admit(account_id, reply);
    pending.markSent(metered.credits, this.config.HAND_OVER_MS);
    const charged = await this.send(message, call, pending);
    if (charged.outcome !== 'key_revoked') call.confirmKey = undefined;
    if (charged.outcome !== 'charged') {
      pending.release();
      throw this.refusal(call, reply, charged);
    }
    const { credits_used, credits_remaining } = charged;
    if (credits_used === 0) pending.release();
    if (credits_used < metered.credits) await this.freeCalls.admit(account_id, reply);
    call.assertInTime();
    pending.markCharged(creditsOf(credits_used, credits_remaining), charged.is_repeat === true);
  }

  /** Throws for a search that can't be paid once its account has had those that are run for nothing. */
  private async send(message: ChargeRequest, call: Call, pending: Charge): Promise<ChargeReply> {
    const askedAt = performance.now();
    const reply = await this.services.request(charge, message, call);
    if ('credits_remaining' in reply) {
      this.keyCache.noteSpendable(call.presentedKey.hash, reply, askedAt);
    }
    const { credits_if_matched: highestPrice, ...counted } = message;
    if (reply.outcome !== 'insufficient_credits' || highestPrice === undefined) return reply;
    pending.release();
    if (!(await this.unpayable.count(call))) throw this.unpayable.refusal(reply, highestPrice);
    if (message.credits > 0) return reply;
    // No creator matches: the search is free now that it is counted.
    return this.send({ ...counted, charge_id: uuidv7() }, call, pending);
  }

  private refusal(call: Call, reply: FastifyReply, refused: Refused): Error {
    switch (refused.outcome) {
      case 'insufficient_credits':
        return unpaid(refused, this.links);
      case 'key_revoked':
        this.keyCache.forget(call.presentedKey.hash);
        return new ServiceError('unauthorized', `This API key is not active.${this.links.keysHint}`);
      case 'voided':
        return new ServiceError(
          'unavailable',
          'The call was cancelled before it was charged; try again shortly.',
        );
      case 'idempotency_key_reused':
        return new ServiceError(
          'idempotency_key_reused',
          'This Idempotency-Key was used for another call. Use a new one for each call, and the same one only to repeat a call.',
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

function creditsOf(credits_used: number, credits_remaining: number): Credits {
  const warning = creditsWarning(credits_remaining);
  return { credits_used, credits_remaining, ...(warning === undefined ? {} : { warning }) };
}

function unpaid(refused: Unpaid, { buy, keys }: AccountLinks): Error {
  const { credits_needed, credits_remaining, key_limit: limit, key_limit_resets_at: resetsAt } = refused;
  if (limit && resetsAt !== undefined) return new KeyLimitError(credits_needed, limit, keys);
  return new InsufficientCreditsError(credits_needed, credits_remaining, buy);
}
