import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { isProgramPath } from '../account-pages/paths/page-paths.js';
import { Admission } from '../admission/admission.js';
import { admissionKey } from '../admission/admission-key.js';
import { admitRequests } from '../admission/admit-requests.js';
import { KeyCache } from '../authentication/key-cache.js';
import { BodyAllowance } from '../bodies/body-allowance.js';
import { BodyBudget } from '../bodies/body-budget.js';
import { countUnread, receiveBodies } from '../bodies/receive-bodies.js';
import { compressAnswers } from '../compression/compress-answers.js';
import { ConnectionLimit } from '../connections/connection-limit.js';
import { takeTurns } from '../connections/exchange-of-request.js';
import { announceDeprecation } from '../deprecation/announce-deprecation.js';
import { deprecationHeaders } from '../deprecation/deprecation-headers.js';
import { type AppOptions } from '../http/server/app-options.js';
import { addCommonHooks } from '../http/server/common-hooks.js';
import { startDeadline } from '../http/requests/request-deadline.js';
import { servePageRoutes } from '../http/server/page-routes.js';
import { RouteMethods } from '../http/server/route-methods.js';
import { publicPrefix } from '../http/server/public-prefix.js';
import { holdStrangers } from '../strangers/hold-strangers.js';
import { KnownCallers } from '../strangers/known-callers.js';
import { StrangerLine } from '../strangers/stranger-line.js';
import { receivePaymentEvents } from '../payment-events/receive-payment-events.js';

/**
 * Adds the hooks for every request to the public API before Nest handles it. They are Fastify's, because refusing a
 * request here must cost almost nothing. Call before `init`.
 */
export function configurePublicApp(app: NestFastifyApplication, { config, logger }: AppOptions): void {
  const server = app.getHttpAdapter().getInstance();
  app.get(ConnectionLimit).watch(server.server);
  const bodies = app.get(BodyBudget);
  takeTurns(server, (request, exchange) => countUnread(request, exchange, bodies));
  holdStrangers(server, {
    line: app.get(StrangerLine),
    callers: app.get(KnownCallers),
    bodies,
  });
  addCommonHooks(server, 'public', logger);
  receiveBodies(server, app.get(BodyAllowance), bodies);
  receivePaymentEvents(server);
  const routeMethods = new RouteMethods(server);
  servePageRoutes(server, (path) => !isProgramPath(path));
  server.addHook('onRequest', async (request, reply) => routeMethods.refuseWrongMethod(request, reply));
  // The whole request has arrived: how long its client took to send it does not count.
  server.addHook('preValidation', (request, _reply, done) => {
    startDeadline(request, config.REQUEST_DEADLINE_MS);
    done();
  });
  const keys = app.get(KeyCache);
  admitRequests(server, app.get(Admission), (request) => admissionKey(request, keys));
  const deprecation = deprecationHeaders(config);
  if (deprecation) announceDeprecation(server, publicPrefix, deprecation);
  if (config.COMPRESS_ANSWERS === 'true') compressAnswers(server);
}
