import { ServiceError, slugLengthMax, slugPattern } from '#contracts';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { idempotencyKeyOf } from '../requests/read-request.js';

/** The `Idempotency-Key` of a request that creates something; without the header, a unique generated one. */
export const IdempotencyKey = createParamDecorator(
  (_data: unknown, context: ExecutionContext): string =>
    idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()) ?? uuidv7(),
);

/**
 * The parameters of the path, as the class of the handler's parameter names them; ids in lower case. A malformed id or slug is
 * `not_found`.
 */
export const Path = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, readParameter(name, value)]),
  );
});

function readParameter(name: string, value: string): string {
  if (name === 'slug') {
    if (value.length <= slugLengthMax && slugPattern.test(value)) return value;
    throw new ServiceError('not_found', 'There is no creator with this slug.');
  }
  if (isUuid(value)) return value.toLowerCase();
  throw new ServiceError('not_found', `There is no ${name.replace('_id', '')} with this id.`);
}
