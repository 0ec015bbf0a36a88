import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { PublicCall } from '../http/public-call.js';
import { rememberCall } from '../http/call-of-request.js';
import { requestDeadline } from '../http/request-deadline.js';
import { Authenticator } from './authenticator.service.js';

/** Admits requests with a valid key, before anything else is validated (design 2). */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const deadline = requestDeadline(request);
    const traceparent = request.headers.traceparent;
    const travelling = {
      requestId: request.id,
      ...(typeof traceparent === 'string' ? { traceparent } : {}),
    };
    const caller = await this.authenticator.authenticate(request.headers.authorization, request.ip, {
      ...travelling,
      deadlineMs: Math.max(1, deadline - performance.now()),
    });
    rememberCall(request, new PublicCall({ ...travelling, ...caller, deadline }));
    return true;
  }
}
