import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { type PublicCall } from './public-call.js';

const calls = new WeakMap<FastifyRequest, PublicCall>();

/** Stores the call of an authenticated request. */
export function rememberCall(request: FastifyRequest, call: PublicCall): void {
  calls.set(request, call);
}

/** The call of an authenticated request. */
export function callOfRequest(request: FastifyRequest): PublicCall | undefined {
  return calls.get(request);
}

/** The authenticated call of a handler behind `ApiKeyGuard`. */
export const CurrentCall = createParamDecorator((_data: unknown, context: ExecutionContext): PublicCall => {
  const call = callOfRequest(context.switchToHttp().getRequest<FastifyRequest>());
  if (!call) throw new Error('a handler that needs a call must be guarded by ApiKeyGuard');
  return call;
});
