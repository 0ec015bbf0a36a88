import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Api, type Intercept } from './api/api.js';
import { Invoicing } from './books/invoicing.js';
import { Payments } from './books/payments.js';
import { Records } from './books/records.js';
import { Returns } from './books/returns.js';
import { handle } from './handle.js';
import { Webhooks } from './webhooks.js';

/** A running stand-in for Stripe on the loopback address: its API, its page to pay on, its webhooks. */
export type StripeStandIn = Awaited<ReturnType<typeof startStripeStandIn>>;

/**
 * Starts a stand-in, which keeps everything in memory; its API accepts only this key. Throws where NODE_ENV is `production`: there,
 * money has to come from Stripe.
 */
export async function startStripeStandIn(secretKey = 'sk_test_standin') {
  if (process.env.NODE_ENV === 'production') {
    throw new Error('The stand-in for Stripe does not run where NODE_ENV is production.');
  }
  let url = '';
  const records = new Records();
  const webhooks = new Webhooks();
  const invoicing = new Invoicing(records, () => url);
  const books = {
    records,
    invoicing,
    payments: new Payments(records, () => url, invoicing),
    returns: new Returns(records),
    webhookUrl: () => webhooks.endpoint?.url,
  };
  records.onEvent((event) => webhooks.handleEvent(event));
  const api = new Api(books, secretKey);
  const server = createServer((request, response) => {
    handle({ ...books, api }, request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...books,
    /** The origin of the API and of all pages. */
    url,
    secretKey,
    webhooks,
    /** What goes wrong with the next requests to the API. */
    failures: api.failures,
    /** What the key may do. */
    permissions: api.permissions,
    /** Puts something between requests to the API and their work; without an argument, nothing. */
    intercept: (by: Intercept = (_call, run) => run()) => {
      api.intercept = by;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await webhooks.stop();
    },
  };
}
