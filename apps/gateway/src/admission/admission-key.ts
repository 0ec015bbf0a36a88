import { hashApiKey, isWellFormedApiKey } from '@app/platform';
import { type FastifyRequest } from 'fastify';
import { isPageRoute } from '../account-pages/paths/page-paths.js';
import { bearerToken } from '../authentication/bearer.js';
import { type KeyCache } from '../authentication/key-cache.js';
import { siteOf } from '../network/network-of.js';
import { type Caller } from './waiting-line.js';
import { isPrepared } from '../prepared/prepared-route.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route does work for callers without a key too. */
    readonly worksWithoutKey?: boolean;
    /** The route waits for a server that is not ours, and has bounds of its own: it holds no slot meanwhile. */
    readonly waitsOutside?: boolean;
  }
}

/**
 * Under which account and key a request queues: those of its API key if it was valid lately, else the client's network, because
 * keys can be made up. `null` for a request that is answered without work: an unknown path, a prepared answer, a key that is missing
 * or can't be right; and for one that waits for a server that is not ours.
 */
export function admissionKey(request: FastifyRequest, keys: KeyCache): Caller | null {
  if (request.is404 || isPrepared(request) || request.routeOptions.config.waitsOutside) return null;
  // Whatever a request to a page claims in a header that means nothing there.
  if (isPageRoute(request.routeOptions.url)) return networkCaller(request);
  const { authorization } = request.headers;
  if (authorization === undefined) {
    return request.routeOptions.config.worksWithoutKey ? networkCaller(request) : null;
  }
  const token = bearerToken(authorization);
  if (token === undefined || !isWellFormedApiKey(token)) return null;
  const hash = hashApiKey(token);
  const account = keys.accountOf(hash);
  return account === undefined
    ? networkCaller(request)
    : { account: `account ${account}`, key: `key ${hash}` };
}

/** Whether the request carries an API key that was valid lately. */
export function hasKnownKey({ headers }: FastifyRequest, keys: KeyCache): boolean {
  const token = bearerToken(headers.authorization);
  return token !== undefined && isWellFormedApiKey(token) && keys.wasGood(hashApiKey(token));
}

function networkCaller({ ip }: FastifyRequest): Caller {
  const network = `network ${siteOf(ip)}`;
  return { account: network, key: network };
}
