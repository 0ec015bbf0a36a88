import { type FastifyRequest } from 'fastify';
import { invalidQuery } from './invalid-query.js';
import { parseQuery } from './raw-query.js';

/** Throws `invalid_request` for a query on a call that has no parameters. */
export function refuseParameters(request: FastifyRequest): void {
  const { problems } = parseQuery(request.raw.url ?? '', []);
  if (Object.keys(problems).length > 0) throw invalidQuery(problems);
}
