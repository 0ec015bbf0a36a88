import { type Logger } from '@app/platform';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { admitRequests } from './admission/admit-requests.js';
import { InFlightLimit } from './admission/in-flight-limit.js';
import { ErrorFilter } from './errors/error.filter.js';
import { addCommonHooks } from './http/common-hooks.js';
import { startDeadline } from './http/request-deadline.js';
import { RouteMethods } from './http/route-methods.js';

interface Options {
  readonly logger: Logger;
  readonly requestDeadlineMs: number;
  readonly inFlight: { readonly floor: number; readonly ceiling: number };
  /** Whether this gateway is about to stop: each answer then ends its connection, so that clients turn to another one. */
  readonly isDraining: () => boolean;
}

/** The rules that hold for every request to the public API, for `main.ts` and for tests. Call before `init`. */
export function configurePublicApp(
  app: NestFastifyApplication,
  { logger, requestDeadlineMs, inFlight, isDraining }: Options,
): void {
  const server = app.getHttpAdapter().getInstance();
  server.addHook('onRequest', (request, reply, done) => {
    startDeadline(request, requestDeadlineMs);
    if (isDraining()) void reply.header('connection', 'close');
    done();
  });
  addCommonHooks(server, 'public', logger);
  admitRequests(server, new InFlightLimit(inFlight));
  const routeMethods = new RouteMethods(server);
  server.addHook('onRequest', async (request, reply) => routeMethods.refuseWrongMethod(request, reply));
  app.setGlobalPrefix('api/public/v1');
  app.useGlobalFilters(new ErrorFilter(logger));
}
