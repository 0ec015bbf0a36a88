import { RateLimiter } from '#http';
import { keyLimit, type LimitGroup, limitGroups, ServiceError } from '#contracts';
import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { counted } from '../text/counted.js';
import { showLimit } from './limit-headers.js';

const refusals = counter(
  'rate_limit_refusals_total',
  'Calls refused by the rate limit of their key or account.',
);

/** Counts calls against the limits of their keys or accounts, and reports to clients how much is left. */
@Injectable()
export class CallLimits {
  constructor(private readonly limiter: RateLimiter) {}

  /** Throws `rate_limited` beyond the limit of the group. */
  async admit(group: LimitGroup, reply: FastifyReply): Promise<void> {
    const { key, scope } = reply.request.call;
    const id = limitGroups[group] === 'account' ? scope : key.key_id;
    const decision = await this.limiter.admit(group, id);
    showLimit(reply, group, keyLimit, decision);
    const { admitted, resetSeconds } = decision;
    if (admitted) return;
    refusals.inc();
    void reply.header('retry-after', String(resetSeconds));
    throw tooManyCalls(group, resetSeconds);
  }
}

const { calls, seconds } = keyLimit;
const what: Readonly<Record<LimitGroup, string>> = {
  search: `A key may search ${calls} times`,
  lookup: `An account may look up links and handles ${calls} times`,
  account: `A key may make ${calls} requests for balance, usage, calls and filters`,
};

/** A call above the rate limit of its key or account; one more is admitted in `resetSeconds`. */
export function tooManyCalls(group: LimitGroup, resetSeconds: number): ServiceError {
  const wait = counted(resetSeconds, 'second');
  return new ServiceError('rate_limited', `${what[group]} in ${seconds} seconds; try again in ${wait}.`);
}
