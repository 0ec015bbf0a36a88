import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type RequestContext } from '@app/transport';
import { type FastifyRequest } from 'fastify';

/** The context sent with every message of a request: its id. */
export const CallContext = createParamDecorator(
  (_data: unknown, context: ExecutionContext): RequestContext => ({
    requestId: context.switchToHttp().getRequest<FastifyRequest>().id,
  }),
);
