import { type LimitGroup } from '#contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type FastifyReply } from 'fastify';
import { refuseCall } from '../errors/refuse-call.js';
import { CallLimits } from './call-limits.js';

/** The group in which the calls of a controller or handler are counted. */
export const RateLimited = Reflector.createDecorator<LimitGroup>();

/** Counts an authenticated call, a malformed one too, before it is validated; throws `rate_limited`. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: CallLimits,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const group = this.reflector.getAllAndOverride(RateLimited, [context.getHandler(), context.getClass()]);
    const http = context.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    await this.limits.admit(group, reply).catch((reason: unknown) => refuseCall(reason, reply.request));
    return true;
  }
}
