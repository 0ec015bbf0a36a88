import { type RouteOptions } from 'fastify';
import { invalidRequest } from '../requests/invalid-request.js';
import { eventBytesMax, paymentEventsPath, signatureHeader } from './payment-events-path.js';

const unsigned = invalidRequest({
  [signatureHeader]: ['the header is missing: only events of Stripe are taken'],
});

/**
 * `onRoute`: lets the bodies of payment events be larger than those of other requests, and refuses those without a
 * signature, which is decided before a body is received. How many are taken at once is bounded as for every stranger: by the
 * memory of the bodies (`BodyBudget`), by the work of their network (`StrangerLine`), and by turns (`Admission`), for which they wait.
 */
export function receivePaymentEvents(route: RouteOptions): void {
  if (route.url !== paymentEventsPath) return;
  route.bodyLimit = eventBytesMax;
  route.onRequest = ({ headers }, _reply, done) => {
    done(headers[signatureHeader] === undefined ? unsigned : undefined);
  };
}
