import { hashApiKey, isWellFormedApiKey } from '@app/platform';
import { type FastifyRequest } from 'fastify';
import { bearerToken } from '../authentication/bearer.js';
import { type KeyCache } from '../authentication/key-cache.js';
import { networkOf } from '../network/network-of.js';

/**
 * The key under which a request queues: its API key if it was valid lately, else the client's network, because keys can
 * be made up. `null` for a request that is refused without asking a service: an unknown path, a key that can't be
 * right.
 */
export function admissionKey(request: FastifyRequest, keys: KeyCache): string | null {
  const token = request.is404 ? undefined : bearerToken(request.headers.authorization);
  if (token === undefined || !isWellFormedApiKey(token)) return null;
  const hash = hashApiKey(token);
  return keys.wasGood(hash) ? `key ${hash}` : `network ${networkOf(request.ip)}`;
}
