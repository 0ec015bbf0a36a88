import { type RouteOptions } from 'fastify';
import { invalidRequest } from '../requests/invalid-request.js';

/** Where Stripe sends its webhooks. */
export const paymentEventsPath = '/webhooks/stripe';

export const signatureHeader = 'stripe-signature';

/** A dispute carries its evidence, up to 150,000 characters. */
const eventBytesMax = 1_048_576;

const unsigned = invalidRequest({
  [signatureHeader]: ['the header is missing: only Stripe events are accepted'],
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
