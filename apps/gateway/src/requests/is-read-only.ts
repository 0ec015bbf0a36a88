import { type FastifyRequest } from 'fastify';

/** Whether a request changes nothing, so that it can be repeated or redirected. */
export function isReadOnly({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}
