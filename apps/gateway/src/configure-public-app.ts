import { type Logger } from '@app/platform';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Admission } from './admission/admission.js';
import { admissionKey } from './admission/admission-key.js';
import { admitRequests } from './admission/admit-requests.js';
import { KeyCache } from './authentication/key-cache.js';
import { type ConnectionLimit } from './connections/connection-limit.js';
import { ErrorFilter } from './errors/error.filter.js';
import { addCommonHooks } from './http/common-hooks.js';
import { startDeadline } from './http/request-deadline.js';
import { RouteMethods } from './http/route-methods.js';

interface Options {
  readonly logger: Logger;
  readonly requestDeadlineMs: number;
  readonly connections: ConnectionLimit;
  readonly admission: Admission;
}

/** The rules that hold for every request to the public API, for `main.ts` and for tests. Call before `init`. */
export function configurePublicApp(
  app: NestFastifyApplication,
  { logger, requestDeadlineMs, connections, admission }: Options,
): void {
  const server = app.getHttpAdapter().getInstance();
  connections.watch(server.server);
  addCommonHooks(server, 'public', logger);
  server.addHook('onRequest', (request, _reply, done) => {
    startDeadline(request, requestDeadlineMs);
    done();
  });
  const routeMethods = new RouteMethods(server);
  server.addHook('onRequest', async (request, reply) => routeMethods.refuseWrongMethod(request, reply));
  const keys = app.get(KeyCache);
  admitRequests(server, admission, (request) => admissionKey(request, keys));
  app.setGlobalPrefix('api/public/v1');
  app.useGlobalFilters(new ErrorFilter(logger));
}
