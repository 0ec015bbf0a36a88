import { idempotencyKeyPattern, type ServiceError } from '@app/contracts';
import { type FastifyRequest } from 'fastify';
import { invalidRequest } from './invalid-request.js';

const name = 'Idempotency-Key';

/** The `Idempotency-Key` header of a request, if it has one. Throws `invalid_request` for one that is not valid. */
export function idempotencyKeyOf({ raw }: FastifyRequest): string | undefined {
  const given = raw.headersDistinct[name.toLowerCase()];
  if (given === undefined) return undefined;
  const [key = '', ...others] = given;
  if (others.length > 0) throw notValid(`${name} must be given once`);
  if (!idempotencyKeyPattern.test(key)) {
    throw notValid(`${name} must be 1 to 200 visible ASCII characters, without spaces`);
  }
  return key;
}

function notValid(problem: string): ServiceError {
  return invalidRequest({ [name]: [problem] });
}
