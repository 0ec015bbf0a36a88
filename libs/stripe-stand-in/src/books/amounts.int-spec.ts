import type Stripe from 'stripe';
import { anOrder, control, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const create = (
  change: Partial<Stripe.Checkout.SessionCreateParams> = {},
): Promise<Stripe.Checkout.Session> => stripe.checkout.sessions.create({ ...anOrder, ...change });
const retrieve = (id: string): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge.balance_transaction'] });
const withBoth = { automatic_tax: { enabled: true }, allow_promotion_codes: true };

it('without tax and discount the total is the price', async () => {
  const { id } = await create();
  await control(standIn, `/sessions/${id}/pay`);
  expect(await retrieve(id)).toMatchObject({
    allow_promotion_codes: null,
    automatic_tax: { enabled: false, status: null },
    amount_subtotal: 14_900,
    amount_total: 14_900,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  });
});

it.each([
  ['a tax', { tax_percent: '19' }, 17_731, { amount_discount: 0, amount_tax: 2_831 }],
  ['a discount', { discount_percent: '20' }, 11_920, { amount_discount: 2_980, amount_tax: 0 }],
  ['cents off', { discount_cents: '900' }, 14_000, { amount_discount: 900, amount_tax: 0 }],
  [
    'both',
    { discount_percent: '20', tax_percent: '19' },
    14_185,
    { amount_discount: 2_980, amount_tax: 2_265 },
  ],
])('with %s the total is what is paid', async (_what, changes, total, details) => {
  const { id } = await create();
  await control(standIn, `/sessions/${id}/pay`, changes);
  expect(await retrieve(id)).toMatchObject({
    amount_subtotal: 14_900,
    amount_total: total,
    total_details: details,
    payment_status: 'paid',
    payment_intent: {
      amount: total,
      amount_received: total,
      latest_charge: { amount: total, balance_transaction: { amount: total, currency: 'usd' } },
    },
  });
  expect(await stripe.refunds.create({ payment_intent: intentOf(id) })).toMatchObject({ amount: total });
});

it('a session with automatic tax is paid with the tax of the stand-in', async () => {
  await control(standIn, '/tax', { percent: '19' });
  const taxed = await create(withBoth);
  expect(taxed).toMatchObject({
    amount_total: 14_900,
    automatic_tax: { status: 'requires_location_inputs' },
  });
  standIn.payments.pay(taxed.id, 'card');
  expect(await retrieve(taxed.id)).toMatchObject({
    amount_total: 17_731,
    automatic_tax: { enabled: true, status: 'complete' },
  });
  const { id } = await create();
  standIn.payments.pay(id, 'card');
  expect(await retrieve(id)).toMatchObject({ amount_total: 14_900 });
});

it('a discount of everything needs no payment', async () => {
  const { id } = await create();
  await control(standIn, `/sessions/${id}/pay`, { discount_percent: '100', tax_percent: '19' });
  expect(await retrieve(id)).toMatchObject({
    amount_subtotal: 14_900,
    amount_total: 0,
    payment_intent: null,
    payment_status: 'no_payment_required',
    status: 'complete',
    total_details: { amount_discount: 14_900, amount_tax: 0 },
    url: null,
  });
  expect([...standIn.records.events.values()].map(({ type }) => type)).toEqual([
    'checkout.session.completed',
  ]);
});

it('a discount that is entered after a declined card is of the next attempt', async () => {
  const { id } = await create(withBoth);
  standIn.payments.pay(id, 'declined card');
  standIn.payments.applyPromotionCode(id, 'save20');
  standIn.payments.pay(id, 'card');
  expect(await retrieve(id)).toMatchObject({ payment_intent: { amount: 11_920, amount_received: 11_920 } });
});

it('a payment that takes days has the price of its session', async () => {
  const { id } = await create();
  standIn.payments.pay(id, 'delayed', { taxPercent: 19 });
  standIn.payments.settle(id, 'succeeded');
  expect(await retrieve(id)).toMatchObject({ payment_intent: { amount_received: 17_731 } });
});

function intentOf(id: string): string {
  return standIn.records.session(id).payment_intent ?? '';
}
