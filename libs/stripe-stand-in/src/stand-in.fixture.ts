import Stripe from 'stripe';
import { startStripeStandIn, type StripeStandIn, type StripeStandInOptions } from './stand-in.js';

export interface OpenStandIn {
  readonly standIn: StripeStandIn;
  /** Stripe's own library, directed to the stand-in. */
  readonly stripe: Stripe;
}

/** Starts a stand-in; it has to be stopped. */
export async function openStandIn(options?: StripeStandInOptions): Promise<OpenStandIn> {
  const standIn = await startStripeStandIn(options);
  const { hostname: host, port } = new URL(standIn.url);
  const stripe = new Stripe(standIn.secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0 });
  return { standIn, stripe };
}

/** Starts a stand-in for the suite; `opened` gets it. Nothing fails and nothing is forbidden when a test begins. */
export function useStandIn(opened: (open: OpenStandIn) => unknown, options?: StripeStandInOptions): void {
  let standIn: StripeStandIn;
  beforeAll(async () => {
    const open = await openStandIn(options);
    ({ standIn } = open);
    opened(open);
  });
  beforeEach(() => {
    standIn.failures.clear();
    standIn.permissions.restrict({});
    standIn.intercept();
  });
  afterAll(() => standIn.stop());
}

/** A session of a shop that sells one thing. */
export const anOrder: Stripe.Checkout.SessionCreateParams = {
  mode: 'payment',
  client_reference_id: 'order-1',
  line_items: [
    {
      quantity: 1,
      price_data: { currency: 'usd', unit_amount: 14_900, product_data: { name: '500 credits' } },
    },
  ],
  metadata: { order_id: 'order-1' },
  success_url: 'http://shop.example/bought?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://shop.example/buy',
};
