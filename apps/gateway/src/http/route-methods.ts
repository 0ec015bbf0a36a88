import { type FastifyInstance } from 'fastify';

/** Knows the routes of a server by their paths, to tell a wrong method (405) from a wrong path (404). */
export class RouteMethods {
  private readonly routes: { readonly segments: string[]; readonly methods: string[] }[] = [];

  /** Must be called before the routes are added. */
  constructor(server: FastifyInstance) {
    server.addHook('onRoute', ({ url, method }) => {
      this.routes.push({ segments: url.split('/'), methods: [method].flat() });
    });
  }

  /** The methods that `path` answers to; empty for a path that is not known. */
  of(path: string): string[] {
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
