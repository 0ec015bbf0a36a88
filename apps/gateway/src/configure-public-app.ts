import { ServiceError } from '@app/contracts';
import { type Logger } from '@app/platform';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { ErrorFilter } from './errors/error.filter.js';
import { addCommonHooks } from './http/common-hooks.js';
import { startDeadline } from './http/request-deadline.js';
import { RouteMethods } from './http/route-methods.js';

interface Options {
  readonly logger: Logger;
  readonly requestDeadlineMs: number;
}

/** The rules that hold for every request to the public API, for `main.ts` and for tests. Call before `init`. */
export function configurePublicApp(
  app: NestFastifyApplication,
  { logger, requestDeadlineMs }: Options,
): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, _reply, done) => {
    startDeadline(request, requestDeadlineMs);
    done();
  });
  addCommonHooks(server, logger);
  refuseOtherMethods(server);
  app.setGlobalPrefix('api/public/v1');
  app.useGlobalFilters(new ErrorFilter(logger));
}

/** A known path with another method is a 405 before anything of it is run (design 5). */
function refuseOtherMethods(server: FastifyInstance): void {
  const routes = new RouteMethods(server);
  server.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return;
    const [path = ''] = request.url.split('?');
    const allowed = routes.of(path);
    if (allowed.length === 0) return;
    void reply.header('allow', allowed.join(', '));
    throw new ServiceError(
      'method_not_allowed',
      `${request.method} is not possible here; use ${allowed.join(' or ')}.`,
    );
  });
}
