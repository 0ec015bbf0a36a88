import { counter } from '@app/platform';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { callOfRequest } from '../http/call-of-request.js';
import { callsMax, type RateLimitGroup, RateLimiter, windowSeconds } from './rate-limiter.js';
import { tooManyCalls } from './too-many-calls.js';

const refusals = counter('rate_limit_refusals_total', 'Calls refused by the rate limit of their key.');

/** The group in which a controller's calls are counted. */
export const RateLimited = Reflector.createDecorator<RateLimitGroup>();

/** Counts an authenticated call, a malformed one too, before it is validated (design 2); throws `rate_limited`. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limiter: RateLimiter,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const group = this.reflector.get(RateLimited, context.getClass());
    const http = context.switchToHttp();
    const call = callOfRequest(http.getRequest<FastifyRequest>());
    if (!call) throw new Error('RateLimitGuard must come after ApiKeyGuard');
    const { admitted, remaining, resetSeconds } = await this.limiter.admit(group, call.key.key_id);
    const reply = http.getResponse<FastifyReply>();
    void reply.header('ratelimit-policy', `"${group}";q=${callsMax};w=${windowSeconds}`);
    void reply.header('ratelimit', `"${group}";r=${remaining};t=${resetSeconds}`);
    if (admitted) return true;
    refusals.inc();
    void reply.header('retry-after', String(resetSeconds));
    throw tooManyCalls(group, resetSeconds);
  }
}
