import type Stripe from 'stripe';
import { anOrder, control, type Shop, useShop, webhookSecret } from './stand-in.fixture.js';
import { type StripeStandIn } from './stand-in.js';

let standIn: StripeStandIn;
let shop: Shop;
let stripe: Stripe;
useShop((open) => ({ standIn, stripe, shop } = open));

async function received(type: string): Promise<Stripe.Event[]> {
  await standIn.webhooks.settled();
  const events = shop.received.map(({ body, signature }) =>
    stripe.webhooks.constructEvent(body, signature, webhookSecret),
  );
  return events.filter((event) => event.type === type);
}

it.each([
  ['true', 'acct_another'],
  ['false', undefined],
])(
  'events of another account come, whose objects the key cannot see (connected: %s)',
  async (connected, account) => {
    await control(standIn, '/another-account/sale', { connected, reference: 'order-1' });
    const [sold] = await received('checkout.session.completed');
    const session = sold?.data.object as Stripe.Checkout.Session;
    expect(session).toMatchObject({ client_reference_id: 'order-1', payment_status: 'paid' });
    expect(sold?.account).toBe(account);
    const missing = { code: 'resource_missing' };
    await expect(stripe.checkout.sessions.retrieve(session.id)).rejects.toMatchObject(missing);
    const payment_intent = session.payment_intent as string;
    await expect(stripe.paymentIntents.retrieve(payment_intent)).rejects.toMatchObject(missing);
    await expect(stripe.events.retrieve(sold?.id ?? '')).rejects.toMatchObject(missing);
    expect(await stripe.checkout.sessions.list({ payment_intent })).toMatchObject({ data: [] });
    expect(await control(standIn, '/another-account/refund-all')).toEqual({ refunded: 1 });
    expect(await received('charge.refunded')).toMatchObject([{ data: { object: { payment_intent } } }]);
  },
);

it('a thin event is signed, and holds no object', async () => {
  await control(standIn, '/webhooks/thin', { type: 'v1.charge.refunded' });
  await standIn.webhooks.settled();
  const [{ body, signature } = { body: '', signature: '' }] = shop.received;
  expect(stripe.parseEventNotification(body, signature, webhookSecret)).toMatchObject({
    object: 'v2.core.event',
    type: 'v1.charge.refunded',
  });
  expect(JSON.parse(body)).not.toHaveProperty('data');
});

it('a bulk refund sends its events at once', async () => {
  for (let count = 0; count < 5; count++) {
    const { id } = await stripe.checkout.sessions.create(anOrder);
    standIn.payments.pay(id, 'card');
  }
  await standIn.webhooks.settled();
  const sent = standIn.webhooks.deliveries.length;
  standIn.returns.refundAll();
  expect(standIn.webhooks.deliveries).toHaveLength(sent);
  expect(await received('charge.refunded')).toHaveLength(5);
  expect(await received('refund.created')).toHaveLength(5);
});
