import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { startStripeStandIn, type StripeStandIn, type StripeStandInOptions } from './stand-in.js';

/** Stripe's own library, directed to the stand-in. */
export function libraryFor({ url, secretKey }: StripeStandIn): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(secretKey, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
}

export interface OpenStandIn {
  readonly standIn: StripeStandIn;
  readonly stripe: Stripe;
}

/** Starts a stand-in for each test of the suite; `opened` gets it with Stripe's library. */
export function useStandIn(opened: (open: OpenStandIn) => unknown, options?: StripeStandInOptions): void {
  let standIn: StripeStandIn;
  beforeEach(async () => {
    standIn = await startStripeStandIn(options);
    opened({ standIn, stripe: libraryFor(standIn) });
  });
  afterEach(() => standIn.stop());
}

/** The payment intent of an order that was paid by card. */
export async function payByCard({ standIn, stripe }: OpenStandIn): Promise<string> {
  const { id } = await stripe.checkout.sessions.create(anOrder);
  return standIn.payments.pay(id, 'card').payment_intent ?? '';
}

/** A request to a control; resolves to what it answers. Throws when it is refused. */
export async function control(standIn: StripeStandIn, path: string, fields: object = {}): Promise<unknown> {
  const response = await fetch(`${standIn.url}/_controls${path}`, {
    method: 'POST',
    body: JSON.stringify(fields),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}

/** What a shop with one thing to sell asks for. */
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
  payment_intent_data: { description: '500 credits', metadata: { order_id: 'order-1' } },
  success_url: 'http://shop.example/bought?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://shop.example/buy',
};

export interface Received {
  readonly body: string;
  readonly signature: string;
}

export interface Shop {
  readonly url: string;
  readonly received: Received[];
  /** Statuses of the next answers; then 200. */
  readonly answers: number[];
  close(): Promise<void>;
}

/** A shop that notes the webhooks it gets. */
async function openShop(): Promise<Shop> {
  const received: Received[] = [];
  const answers: number[] = [];
  const note = async (request: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    received.push({
      body: Buffer.concat(chunks).toString(),
      signature: String(request.headers['stripe-signature']),
    });
  };
  const server = createServer((request, response) => {
    void note(request).then(() => response.writeHead(answers.shift() ?? 200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    received,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const webhookSecret = 'whsec_test';

/** The same with a shop that gets the webhooks. */
export function useShop(opened: (open: OpenStandIn & { readonly shop: Shop }) => unknown): void {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop();
  });
  afterAll(() => shop.close());
  useStandIn((open) => {
    shop.received.length = 0;
    shop.answers.length = 0;
    open.standIn.webhooks.endpoint = { url: shop.url, secret: webhookSecret };
    opened({ ...open, shop });
  });
}
