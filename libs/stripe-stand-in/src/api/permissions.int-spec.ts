import Stripe from 'stripe';
import { anOrder, control, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
let paid: Stripe.Checkout.Session;
useStandIn((open) => ({ standIn, stripe } = open), { secretKey: 'rk_test_standin' });

beforeEach(async () => {
  paid = await stripe.checkout.sessions.create(anOrder);
  standIn.payments.pay(paid.id, 'card');
});

const retrieve = (expand: string[] = []): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.retrieve(paid.id, { expand });
const intent = (): string => standIn.records.session(paid.id).payment_intent ?? '';

it('what a key may not do is refused with the permission that is missing', async () => {
  await control(standIn, '/permissions', { disputes: 'none' });
  const error: unknown = await stripe.disputes.list().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Stripe.errors.StripePermissionError);
  expect(error).toMatchObject({ statusCode: 403, rawType: 'invalid_request_error' });
  expect(String(error)).toContain("Having the 'rak_dispute_read' permission would allow this request");
  expect(String(error)).not.toContain('rk_test_standin');
  expect(await stripe.refunds.list()).toMatchObject({ data: [] });
  await control(standIn, '/permissions');
  expect(await stripe.disputes.list()).toMatchObject({ data: [] });
});

it.each([
  ['checkout_sessions', 'read', () => stripe.checkout.sessions.create(anOrder), 'rak_checkout_session_write'],
  ['checkout_sessions', 'none', () => retrieve(), 'rak_checkout_session_read'],
  ['payment_intents', 'none', () => retrieve(['payment_intent']), 'rak_payment_intent_read'],
  ['charges', 'none', () => retrieve(['payment_intent.latest_charge']), 'rak_charge_read'],
  ['charges', 'none', () => stripe.refunds.list(), 'rak_charge_read'],
  ['charges', 'read', () => stripe.refunds.create({ payment_intent: intent() }), 'rak_charge_write'],
  ['events', 'none', () => stripe.events.list(), 'rak_event_read'],
] as const)('%s: %s', async (resource, access, refused, permission) => {
  standIn.permissions.restrict({ [resource]: access });
  await expect(refused()).rejects.toThrow(permission);
});

it('reading is allowed without writing', async () => {
  standIn.permissions.restrict({ checkout_sessions: 'read', charges: 'read', payment_intents: 'read' });
  expect(await retrieve(['payment_intent.latest_charge'])).toMatchObject({
    payment_intent: { latest_charge: { paid: true } },
  });
});

it.each([{ coffee: 'read' }, { disputes: 'all' }])('there is no permission %j', async (fields) => {
  await expect(control(standIn, '/permissions', fields)).rejects.toThrow('must be one of');
});
