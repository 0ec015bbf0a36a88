import { type FastifyInstance, type FastifyRequest, type RouteOptions } from 'fastify';
import { readsOnly } from '../requests/reads-only.js';

/** `isPage`: whether a route is for browsers. The API has neither HEAD nor second spellings of its paths. */
type IsPage = (path: string) => boolean;

/**
 * What people and their browsers expect of pages: HEAD works (but for downloads, which are made while they are sent: HEAD
 * would do all of that work), and a slash at the end of an address leads to the page. Call before the routes are added.
 */
export function servePageRoutes(server: FastifyInstance, isPage: IsPage): void {
  server.addHook('onRoute', (route: RouteOptions) => {
    if (route.method !== 'GET' || !isPage(route.url) || route.url.endsWith('.csv')) return;
    // Node sends the headers of the answer, and drops its body.
    server.route({ ...route, method: 'HEAD' });
  });
  server.addHook('onRequest', (request, reply, done) => {
    const location = readsOnly(request) ? withoutSlash(request) : undefined;
    if (location === undefined) return done();
    void reply.code(308).header('location', location).send();
  });

  function withoutSlash({ url }: FastifyRequest): string | undefined {
    const [path = '', query] = url.split('?', 2);
    if (!path.endsWith('/') || !isPage(path) || path.startsWith('//')) return undefined;
    const target = path.replace(/\/+$/, '');
    const isKnown = target !== '' && server.findRoute({ method: 'GET', url: target }) !== null;
    return isKnown ? target + (query === undefined ? '' : `?${query}`) : undefined;
  }
}
