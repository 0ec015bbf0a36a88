import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ServiceError } from '@app/contracts';
import { type FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';

const name = 'Idempotency-Key';
const lengthMax = 200;
const visible = new RegExp(`^[!-~]{1,${lengthMax}}$`);

/** The `Idempotency-Key` of a request that creates something; without the header, a unique generated one. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { raw } = context.switchToHttp().getRequest<FastifyRequest>();
  const given = raw.headersDistinct[name.toLowerCase()];
  if (given === undefined) return uuidv7();
  const [key = '', ...others] = given;
  if (others.length > 0) throw notValid(`${name} must be given once`);
  if (!visible.test(key)) {
    throw notValid(`${name} must be 1 to ${lengthMax} visible ASCII characters, without spaces`);
  }
  return key;
});

function notValid(problem: string): ServiceError {
  return new ServiceError('invalid_request', `The request is not valid: ${problem}.`, {
    details: { [name]: [problem] },
  });
}
