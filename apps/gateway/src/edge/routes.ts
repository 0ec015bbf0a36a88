import { type IncomingMessage } from 'node:http';
import { ServiceError } from '#contracts';
import { Injectable } from '@nestjs/common';
import { type FastifyInstance, type onRequestHookHandler, type RouteOptions } from 'fastify';

/** Records the routes of a server by path, to tell a wrong method (405) from a wrong path (404). */
@Injectable()
export class RouteMethods {
  private readonly routes: { readonly segments: string[]; readonly methods: string[] }[] = [];

  /** `onRoute` */
  readonly add = ({ url, method }: RouteOptions): void => {
    this.routes.push({ segments: url.split('/'), methods: [method].flat() });
  };

  /** Every route as `GET /path/:parameter`, sorted. */
  list(): string[] {
    const lines = this.routes.flatMap(({ segments, methods }) =>
      methods.map((method) => `${method} ${segments.join('/')}`),
    );
    return lines.sort();
  }

  /** `onRequest`: `method_not_allowed`, with the `Allow` header, for a known path requested with another method. */
  readonly refuseWrongMethod: onRequestHookHandler = (request, reply, done) => {
    if (!request.is404) return done();
    const [path = ''] = request.url.split('?');
    const allowed = this.methodsOf(decodeURI(path));
    if (allowed.length === 0) return done();
    void reply.header('allow', allowed.join(', '));
    const sentence = `${request.method} is not supported here; use ${allowed.join(' or ')}.`;
    done(new ServiceError('method_not_allowed', sentence));
  };

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

declare module 'fastify' {
  interface FastifyContextConfig {
    /** GET of it costs nothing, so HEAD works too. */
    readonly servesHead?: boolean;
  }
}

/** `onRoute`: HEAD works for answers that cost nothing. */
export function addHeadRoute(server: FastifyInstance): (route: RouteOptions) => void {
  return (route) => {
    if (route.method !== 'GET' || !route.config?.servesHead) return;
    // Node sends the headers of the answer, and drops its body.
    server.route({ ...route, method: 'HEAD' });
  };
}

/** The URL of a request without a slash at the end of its path, which many programs add. */
export function withoutSlash({ url = '' }: Pick<IncomingMessage, 'url'>): string {
  const [, path, query = ''] = /^([^?]*[^/?])\/(\?.*)?$/.exec(url) ?? [];
  return path === undefined ? url : path + query;
}
