import { ServiceError } from '@app/contracts';
import { counter } from '@app/platform';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { RecentMap } from '../authentication/recent-map.js';
import { type PublicCall } from '../http/calls/public-call.js';
import { counted } from '../text/counted.js';
import { type RateLimit, RateLimiter } from './rate-limiter.js';

const limit: RateLimit = { calls: 600, seconds: 60 };
/** Accounts at the limit that a gateway remembers. One that it forgets is counted in Redis again. */
const accountsMax = 10_000;

const refusals = counter(
  'free_call_refusals_total',
  'Calls refused because their account made too many free calls.',
);

/**
 * Searches and profiles that cost nothing: at most 600 a minute for each account, across all gateways, because each leaves a
 * row in billing that nobody pays for. A paid call is never counted, and costs no look-up.
 */
@Injectable()
export class FreeCallLimit {
  /** Until when an account is at the limit, on the monotonic clock, ms. */
  private readonly full = new RecentMap<number>(accountsMax);

  constructor(private readonly limiter: RateLimiter) {}

  /** Counts a free call. Throws `rate_limited` beyond the limit. */
  async admit(call: PublicCall, reply: FastifyReply): Promise<void> {
    this.refuseWhenFull(call, reply);
    const { account_id: accountId } = call.key;
    const { admitted, resetSeconds } = await this.limiter.admit('free', accountId, limit);
    if (admitted) return;
    this.full.set(accountId, performance.now() + resetSeconds * 1_000);
    refuse(reply, resetSeconds);
  }

  /** For a call that may cost nothing, before any work: throws `rate_limited` when the account is known to be at the limit. */
  refuseWhenFull({ key }: PublicCall, reply: FastifyReply): void {
    const waitMs = (this.full.get(key.account_id) ?? 0) - performance.now();
    if (waitMs > 0) refuse(reply, Math.ceil(waitMs / 1_000));
  }
}

function refuse(reply: FastifyReply, seconds: number): never {
  refusals.inc();
  void reply.header('retry-after', String(seconds));
  throw new ServiceError(
    'rate_limited',
    `An account may make ${limit.calls} calls that cost nothing in ${limit.seconds} seconds; try again in ${counted(seconds, 'second')}.`,
  );
}
