import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Api, type Intercept } from './api/api.js';
import { type Failures, type Permissions } from './api/failures.js';
import { Invoicing } from './books/invoicing.js';
import { Payments } from './books/payments.js';
import { Records } from './books/records.js';
import { type Books, Returns } from './books/returns.js';
import { handle } from './handle.js';
import { Webhooks } from './webhooks.js';

/** A running stand-in for Stripe on the loopback address: its API, its page to pay on, its webhooks. */
export interface StripeStandIn extends Books {
  /** The origin of the API and of all pages. */
  readonly url: string;
  readonly secretKey: string;
  readonly webhooks: Webhooks;
  /** What goes wrong with the next requests to the API. */
  readonly failures: Failures;
  /** What the key may do. */
  readonly permissions: Permissions;
  /** Puts something between requests to the API and their work; without an argument, nothing. */
  intercept(by?: Intercept): void;
  stop(): Promise<void>;
}

/**
 * Starts a stand-in, which keeps everything in memory; its API accepts only this key. Throws where NODE_ENV is `production`: there,
 * money has to come from Stripe.
 */
export async function startStripeStandIn(secretKey = 'sk_test_standin'): Promise<StripeStandIn> {
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
    url,
    secretKey,
    webhooks,
    failures: api.failures,
    permissions: api.permissions,
    intercept: (by = (_call, run) => run()) => {
      api.intercept = by;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await webhooks.stop();
    },
  };
}
