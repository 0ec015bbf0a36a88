import { counter } from '@app/platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { callOfRequest } from '../http/call-of-request.js';
import { RateLimiter, searchLimit, windowSeconds } from './rate-limiter.js';
import { tooManySearches } from './too-many-searches.js';

const refusals = counter('rate_limit_refusals_total', 'Searches refused by the rate limit of their key.');

/** Counts an authenticated search, a malformed one too, before it is validated (design 2); throws `rate_limited`. */
@Injectable()
export class SearchRateGuard implements CanActivate {
  constructor(private readonly limiter: RateLimiter) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const call = callOfRequest(http.getRequest<FastifyRequest>());
    if (!call) throw new Error('SearchRateGuard must come after ApiKeyGuard');
    const { admitted, remaining, resetSeconds } = await this.limiter.admit(call.key.key_id);
    const reply = http.getResponse<FastifyReply>();
    void reply.header('ratelimit-policy', `"search";q=${searchLimit};w=${windowSeconds}`);
    void reply.header('ratelimit', `"search";r=${remaining};t=${resetSeconds}`);
    if (admitted) return true;
    refusals.inc();
    void reply.header('retry-after', String(resetSeconds));
    throw tooManySearches(resetSeconds);
  }
}
