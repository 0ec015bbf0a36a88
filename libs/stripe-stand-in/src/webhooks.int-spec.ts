import Stripe from 'stripe';
import { type StripeStandIn } from './stand-in.js';
import { anOrder, control, type Received, type Shop, useShop, webhookSecret } from './stand-in.fixture.js';

let standIn: StripeStandIn;
let shop: Shop;
let stripe: Stripe;
useShop((open) => ({ standIn, stripe, shop } = open));

const hold = { mode: 'hold', copies: 1, delayMs: 0 } as const;

/** As a shop does it. */
function verified({ body, signature }: Received): Stripe.Event {
  return stripe.webhooks.constructEvent(body, signature, webhookSecret);
}

async function pay(): Promise<string> {
  const { id } = await stripe.checkout.sessions.create(anOrder);
  standIn.payments.pay(id, 'card');
  return id;
}

const typesReceived = (): string[] => shop.received.map((one) => verified(one).type);

it('are signed as Stripe signs them, and not by another secret', async () => {
  await pay();
  await standIn.webhooks.settled();
  const events = shop.received.map(verified);
  expect(events.map(({ type }) => type)).toContain('checkout.session.completed');
  const [first] = shop.received;
  expect(() =>
    stripe.webhooks.constructEvent(first?.body ?? '', first?.signature ?? '', 'whsec_other'),
  ).toThrow(Stripe.errors.StripeSignatureVerificationError);
});

it('hold the object as it was at the event', async () => {
  standIn.webhooks.manner = hold;
  const { id } = await stripe.checkout.sessions.create(anOrder);
  standIn.payments.pay(id, 'delayed');
  standIn.payments.settle(id, 'succeeded');
  standIn.webhooks.release();
  await standIn.webhooks.settled();
  const sessions = shop.received
    .map(verified)
    .filter(({ type }) => type.startsWith('checkout.session.'))
    .map(({ type, data }) => [type, (data.object as Stripe.Checkout.Session).payment_status]);
  expect(sessions.toSorted()).toEqual([
    ['checkout.session.async_payment_succeeded', 'paid'],
    ['checkout.session.completed', 'unpaid'],
  ]);
});

it('are sent again until they are taken', async () => {
  shop.answers.push(503, 500, 503);
  standIn.webhooks.manner = hold;
  await pay();
  const [kept] = standIn.webhooks.waiting.filter(({ type }) => type === 'checkout.session.completed');
  standIn.webhooks.drop();
  standIn.webhooks.manner = { mode: 'send', copies: 1, delayMs: 0 };
  if (kept) standIn.webhooks.handleEvent(kept);
  await standIn.webhooks.settled();
  expect(standIn.webhooks.deliveries.map(({ status }) => status)).toEqual([503, 500, 503, 200]);
  expect(new Set(typesReceived())).toEqual(new Set(['checkout.session.completed']));
});

it('can be repeated, held back and lost', async () => {
  const kinds = 4;
  standIn.webhooks.manner = { mode: 'drop', copies: 1, delayMs: 0 };
  await pay();
  standIn.webhooks.manner = { mode: 'send', copies: 3, delayMs: 1 };
  await pay();
  await standIn.webhooks.settled();
  expect(shop.received).toHaveLength(3 * kinds);
  standIn.webhooks.manner = hold;
  await pay();
  await standIn.webhooks.settled();
  expect(shop.received).toHaveLength(3 * kinds);
  expect(standIn.webhooks.waiting).toHaveLength(kinds);
});

it('can come in another order, by request too', async () => {
  expect(await control(standIn, '/webhooks', { mode: 'hold' })).toEqual(hold);
  await pay();
  const happened = standIn.webhooks.waiting.map(({ type }) => type);
  expect(await control(standIn, '/webhooks/release', { order: 'reversed' })).toEqual({ released: happened });
  await standIn.webhooks.settled();
  expect(typesReceived().toSorted()).toEqual(happened.toSorted());
  const [last] = happened.slice(-1);
  standIn.webhooks.manner = hold;
  await pay();
  for (const event of [...standIn.webhooks.waiting].reverse()) await standIn.webhooks.deliver(event);
  expect(typesReceived()[happened.length]).toBe(last);
});
