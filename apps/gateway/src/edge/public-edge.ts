import { closeWhenShuttingDown, ownOrigin } from '#http';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Admission } from './admission.js';
import { countUnread, receiveBodies } from './bodies/receive-bodies.js';
import { BodyBudget } from './bodies/body-budget.js';
import { compressAnswer } from './compression.js';
import { ConnectionLimit } from './connection-limit.js';
import { type AppOptions, handleUnroutedErrors } from './http-server.js';
import { countAnswer, logRequest, observeRequest } from './observe-requests.js';
import { addHeadRoute, RouteMethods } from './routes.js';
import { checkHead } from './request-checks.js';
import { decorateRequests, serializeRequests } from './serialize-requests.js';

const httpsOnly = { 'strict-transport-security': 'max-age=31536000' };

/** The header that makes browsers use https only, where customers reach the public port by it. */
function transportSecurity(config: AppOptions['config']): Readonly<Record<string, string>> {
  const origin = config.PUBLIC_URL ?? ownOrigin(config.HOST, config.PORT, config);
  return origin.startsWith('https:') ? httpsOnly : {};
}

/**
 * What happens to a request to the public port before and after Nest handles it, in this order. These are hooks of Fastify,
 * because refusing a request here must cost almost nothing. Call before `init`.
 */
export function addPublicEdge(app: NestFastifyApplication, { config, logger, shutdown }: AppOptions): void {
  const server = app.getHttpAdapter().getInstance();
  const bodies = app.get(BodyBudget);
  const admission = app.get(Admission);
  const methods = new RouteMethods();
  decorateRequests(server, transportSecurity(config));
  server.decorateRequest('releaseSlot');
  app.get(ConnectionLimit).watch(server.server);
  handleUnroutedErrors(server);

  // As each route is added: which methods its path has, and HEAD where it is free (a route of its own).
  server.addHook('onRoute', methods.add);
  server.addHook('onRoute', addHeadRoute(server));

  // First: until its turn on the connection nothing is done for a request, and from then on it has its `call`.
  server.addHook(
    'onRequest',
    serializeRequests(server, (...waiting) => countUnread(...waiting, bodies)),
  );
  // Before anything that costs work.
  server.addHook('onRequest', admission.holdStranger);
  // Before every check, so that refusals are counted and timed; not before the wait above, which has a counter of its own.
  server.addHook('onRequest', observeRequest('public'));
  // Before routes: what is wrong with the head of a request is wrong at every path.
  server.addHook('onRequest', checkHead);
  // Last of these: the path and method are the first thing that depends on the route.
  server.addHook('onRequest', methods.refuseWrongMethod);

  // The body is received, or not: only the head decides that.
  receiveBodies(server, bodies);

  // The whole request has arrived: how long its client took to send it does not count.
  server.addHook('preValidation', (request, _reply, done) => {
    request.call.startDeadline(config.REQUEST_DEADLINE_MS);
    done();
  });
  // After the deadline has begun, which includes the wait for a slot; before guards, which ask the services.
  server.addHook('preValidation', admission.waitForSlot);

  // The answer has been made: it is no longer in progress, and its slot is free while its client reads.
  server.addHook('onSend', countAnswer('public'));
  server.addHook('onSend', admission.releaseSlot);
  // The last that changes the payload.
  if (config.COMPRESS_ANSWERS === 'true') server.addHook('onSend', compressAnswer);
  server.addHook('onSend', closeWhenShuttingDown(shutdown));

  // The answer was handed over.
  server.addHook('onResponse', logRequest(logger));
}
