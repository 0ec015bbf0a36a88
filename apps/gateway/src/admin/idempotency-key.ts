import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { idempotencyKeyOf } from '../requests/idempotency-key-header.js';

/** The `Idempotency-Key` of a request that creates something; without the header, a unique generated one. */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string =>
    idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()) ?? uuidv7(),
);
