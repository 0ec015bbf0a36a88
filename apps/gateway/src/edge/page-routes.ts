import {
  type FastifyInstance,
  type FastifyRequest,
  type onRequestHookHandler,
  type RouteOptions,
} from 'fastify';
import { isReadOnly } from '../requests/is-read-only.js';

/** Whether a route is for browsers. The API has neither HEAD nor second spellings of its paths. */
type IsPage = (path: string) => boolean;

/**
 * `onRoute`: HEAD works for pages, but not for downloads, which are made while they are sent: HEAD would do all of that work.
 */
export function addHeadRoute(server: FastifyInstance, isPage: IsPage): (route: RouteOptions) => void {
  return (route) => {
    if (route.method !== 'GET' || !isPage(route.url) || route.url.endsWith('.csv')) return;
    // Node sends the headers of the answer, and drops its body.
    server.route({ ...route, method: 'HEAD' });
  };
}

/** `onRequest`: a slash at the end of an address leads to the page. */
export function redirectSlash(server: FastifyInstance, isPage: IsPage): onRequestHookHandler {
  return (request, reply, done) => {
    const location = isReadOnly(request) ? withoutSlash(server, isPage, request) : undefined;
    if (location === undefined) return done();
    void reply.code(308).header('location', location).send();
  };
}

function withoutSlash(server: FastifyInstance, isPage: IsPage, { url }: FastifyRequest): string | undefined {
  const [path = '', query] = url.split('?', 2);
  if (!path.endsWith('/') || !isPage(path) || path.startsWith('//')) return undefined;
  const target = path.replace(/\/+$/, '');
  const isKnown = target !== '' && server.findRoute({ method: 'GET', url: target }) !== null;
  return isKnown ? target + (query === undefined ? '' : `?${query}`) : undefined;
}
