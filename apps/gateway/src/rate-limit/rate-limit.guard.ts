import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply, type FastifyRequest } from 'fastify';
import { callOfRequest } from '../http/calls/call-of-request.js';
import { CallLimits } from './call-limits.js';
import { type RateLimitGroup } from './rate-limiter.js';

/** The group in which a controller's calls are counted. */
export const RateLimited = Reflector.createDecorator<RateLimitGroup>();

/** Counts an authenticated call, a malformed one too, before it is validated (design 2); throws `rate_limited`. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: CallLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const group = this.reflector.get(RateLimited, context.getClass());
    const http = context.switchToHttp();
    const call = callOfRequest(http.getRequest<FastifyRequest>());
    if (!call) throw new Error('RateLimitGuard must come after ApiKeyGuard');
    await this.limits.admit(group, call, http.getResponse<FastifyReply>());
    return true;
  }
}
