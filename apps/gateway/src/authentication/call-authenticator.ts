import { Injectable } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { rememberCall } from '../http/calls/call-of-request.js';
import { messageContext } from '../http/calls/message-context.js';
import { PublicCall } from '../http/calls/public-call.js';
import { requestDeadline } from '../http/requests/request-deadline.js';
import { Authenticator } from './authenticator.service.js';

/** Turns a request with a valid key into a call. */
@Injectable()
export class CallAuthenticator {
  constructor(private readonly authenticator: Authenticator) {}

  /** The call, which the request then carries. Throws `unauthorized`. */
  async authenticate(request: FastifyRequest): Promise<PublicCall> {
    const deadline = requestDeadline(request);
    const travelling = messageContext(request);
    const caller = await this.authenticator.authenticate(request.headers.authorization, request.ip, {
      ...travelling,
      deadlineMs: Math.max(1, deadline - performance.now()),
    });
    const call = new PublicCall({ ...travelling, ...caller, deadline });
    rememberCall(request, call);
    return call;
  }
}
