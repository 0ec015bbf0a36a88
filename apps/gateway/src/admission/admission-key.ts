import { hashApiKey, isWellFormedApiKey } from '@app/platform';
import { type FastifyRequest } from 'fastify';
import { isPageRoute } from '../account-pages/paths/page-paths.js';
import { bearerToken } from '../authentication/bearer.js';
import { type KeyCache } from '../authentication/key-cache.js';
import { networkOf } from '../network/network-of.js';
import { isPrepared } from '../prepared/prepared-route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route does work for callers without a key too. */
    readonly worksWithoutKey?: boolean;
  }
}

/**
 * The key under which a request queues: its API key if it was valid lately, else the client's network, because keys can
 * be made up. `null` for a request that is answered without work: an unknown path, a prepared answer, a key that is missing
 * or can't be right.
 */
export function admissionKey(request: FastifyRequest, keys: KeyCache): string | null {
  if (request.is404 || isPrepared(request)) return null;
  // Whatever a request to a page claims in a header that means nothing there.
  if (isPageRoute(request.routeOptions.url)) return networkKey(request);
  const { authorization } = request.headers;
  if (authorization === undefined) {
    return request.routeOptions.config.worksWithoutKey ? networkKey(request) : null;
  }
  const token = bearerToken(authorization);
  if (token === undefined || !isWellFormedApiKey(token)) return null;
  const hash = hashApiKey(token);
  return keys.wasGood(hash) ? `key ${hash}` : networkKey(request);
}

function networkKey({ ip }: FastifyRequest): string {
  return `network ${networkOf(ip)}`;
}
