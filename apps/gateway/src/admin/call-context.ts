import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type RequestContext } from '@app/transport';
import { type FastifyRequest } from 'fastify';

/** What travels with every message that a request causes: its id. */
export const CallContext = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestContext => ({
    requestId: context.switchToHttp().getRequest<FastifyRequest>().id,
  }),
);
