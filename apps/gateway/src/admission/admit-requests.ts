import { ServiceError } from '@app/contracts';
import { counter, gauge } from '@app/platform';
import { type FastifyInstance } from 'fastify';
import { sendError } from '../errors/send-error.js';
import { type InFlightLimit } from './in-flight-limit.js';

const shed = counter(
  'http_requests_shed_total',
  'Requests that were refused because too many were in work.',
  ['reason'],
);

/** One for all: thousands a second may get it. */
const busy = new ServiceError('unavailable', 'The service is busy; try again shortly.');

/**
 * Refuses requests at once, before anything else is done for them, while as many are in work as the services can do: a 503
 * now is worth more than one after the deadline. Call before the hooks that do work.
 */
export function admitRequests(server: FastifyInstance, limit: InFlightLimit): void {
  gauge(
    'http_requests_in_flight_max',
    'Requests that may be in work at once, as found out so far.',
    () => limit.limit,
  );
  server.addHook('onRequest', (request, reply, done) => {
    const leave = limit.enter();
    if (!leave) {
      shed.inc({ reason: 'in_flight' });
      // Not raised: an error is logged with its reason, and under overload that would be one more load.
      sendError(reply, busy);
      return;
    }
    reply.raw.once('close', () => {
      const { statusCode } = reply;
      const route = request.routeOptions.url ?? 'unknown';
      leave(route, statusCode === 200 ? 'served' : statusCode >= 500 ? 'failed' : 'refused');
    });
    done();
  });
}
