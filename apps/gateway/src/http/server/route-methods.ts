import { ServiceError } from '@app/contracts';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

/** Records the routes of a server by path, to tell a wrong method (405) from a wrong path (404). */
export class RouteMethods {
  private readonly routes: { readonly segments: string[]; readonly methods: string[] }[] = [];

  /** Must be called before the routes are added. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      this.routes.push({ segments: url.split('/'), methods: [method].flat() });
    });
  }

  /** Throws `method_not_allowed`, with the `Allow` header set, for a known path requested with another method. */
  refuseWrongMethod(request: FastifyRequest, reply: FastifyReply): void {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const allowed = this.methodsOf(decodeURI(path));
    if (allowed.length === 0) return;
    void reply.header('allow', allowed.join(', '));
    throw new ServiceError(
      'method_not_allowed',
      `${request.method} is not supported here; use ${allowed.join(' or ')}.`,
    );
  }

  private methodsOf(path: string): string[] {
    const segments = path.split('/');
    const matching = this.routes.filter((route) => matches(route.segments, segments));
    return [...new Set(matching.flatMap(({ methods }) => methods))].sort();
  }
}

function matches(route: string[], path: string[]): boolean {
  if (route.length !== path.length) return false;
  return route.every((segment, index) =>
    segment.startsWith(':') ? path[index] !== '' : segment === path[index],
  );
}
