import { httpErrorByCode, toServiceError } from '#http';
import { type FastifyRequest } from 'fastify';

/**
 * Throws why a call is refused. A key that was only taken to be good is looked up first: if it has been revoked, that is the
 * reason, before anything else that is wrong with its request.
 */
export async function refuseCall(reason: unknown, request: FastifyRequest): Promise<never> {
  const { confirmKey } = request.call;
  if (confirmKey && httpErrorByCode[toServiceError(reason, request).code].status < 500) await confirmKey();
  throw reason;
}
