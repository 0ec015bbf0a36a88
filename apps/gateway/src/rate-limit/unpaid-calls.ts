import { type LimitDecision, RateLimiter } from '#http';
import { type RateLimit, ServiceError } from '#contracts';
import { counter, LOGGER, type Logger } from '#platform';
import { Inject, Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { limits } from '../limits.js';
import { RecentMap } from '../requests/recent-map.js';
import { counted } from '../text/counted.js';
import { showLimit } from './limit-headers.js';

/** Keys or accounts at their limit that a gateway remembers. One that it forgets is counted in Redis again. */
const rememberedMax = 10_000;

/**
 * A limit on unpaid calls, counted in Redis for all gateways and only when one occurs. A gateway remembers who
 * is at the limit, so that refusing them costs no look-up, and other calls wait for nothing.
 */
abstract class UnpaidCalls {
  /** By key or account, on the monotonic clock, ms. */
  private readonly refusedUntil = new RecentMap<number>(rememberedMax);

  constructor(
    private readonly limiter: RateLimiter,
    private readonly group: string,
    protected readonly limit: RateLimit,
  ) {}

  /** Throws `rate_limited` for a key or account that is known to be at the limit. */
  assertWithin(id: string, reply: FastifyReply): void {
    const leftMs = (this.refusedUntil.get(id) ?? -Infinity) - performance.now();
    if (leftMs > 0) this.refuse(Math.ceil(leftMs / 1_000), reply);
  }

  protected async count(id: string): Promise<LimitDecision> {
    const decision = await this.limiter.admit(this.group, id, this.limit);
    if (decision.remaining === 0) {
      this.refusedUntil.set(id, performance.now() + decision.resetSeconds * 1_000);
    }
    return decision;
  }

  protected refuse(seconds: number, reply: FastifyReply): never {
    void reply.header('retry-after', String(seconds));
    throw new ServiceError('rate_limited', this.sentence(counted(seconds, 'second')));
  }

  /** `wait`: as in `7 seconds`. */
  protected abstract sentence(wait: string): string;
}

/**
 * Paid calls whose clients disconnected before anything of the answer was written. Those calls are free, so a key may have 60 of
 * them in 60 seconds; then its paid calls of every kind are refused. A gateway learns that there were too many from the next one
 * on its own connections.
 */
@Injectable()
export class AbandonedCalls extends UnpaidCalls {
  constructor(
    limiter: RateLimiter,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    super(limiter, 'abandoned', limits.abandonedCalls);
  }

  /** Counts one more, in the background. */
  record(keyId: string): void {
    this.count(keyId).catch((error: unknown) =>
      this.logger.warn({ err: error, key_id: keyId }, 'an abandoned call was not counted'),
    );
  }

  protected sentence(wait: string): string {
    const { calls, seconds } = this.limit;
    return `This key disconnected from ${calls} calls in ${seconds} seconds before they were answered. Wait for the answers, and try again in ${wait}.`;
  }
}

const refusals = counter(
  'free_call_refusals_total',
  'Calls refused because their account made too many free calls.',
);

/**
 * Searches and profiles that cost nothing: at most 600 a minute for each account, because each leaves an unpaid row in
 * billing. A paid call is never counted.
 */
@Injectable()
export class FreeCallLimit extends UnpaidCalls {
  constructor(limiter: RateLimiter) {
    super(limiter, 'free', limits.freeCalls);
  }

  /** Counts a free call, whose answer says how many are left. Throws `rate_limited` beyond the limit. */
  async admit(accountId: string, reply: FastifyReply): Promise<void> {
    this.assertWithin(accountId, reply);
    const decision = await this.count(accountId);
    if (!decision.admitted) this.refuse(decision.resetSeconds, reply);
    showLimit(reply, 'free', this.limit, decision);
  }

  protected override refuse(resetSeconds: number, reply: FastifyReply): never {
    refusals.inc();
    showLimit(reply, 'free', this.limit, { remaining: 0, resetSeconds });
    return super.refuse(resetSeconds, reply);
  }

  protected sentence(wait: string): string {
    const { calls, seconds } = this.limit;
    return `An account may make ${calls} calls that cost nothing in ${seconds} seconds; try again in ${wait}.`;
  }
}
