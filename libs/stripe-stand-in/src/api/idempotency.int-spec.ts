import Stripe from 'stripe';
import { anOrder, control, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const create = (change: object = {}): Promise<Stripe.Response<Stripe.Checkout.Session>> =>
  stripe.checkout.sessions.create({ ...anOrder, ...change }, { idempotencyKey: 'order-1' });

it('a repeated request gets the first answer again, and a header that says so', async () => {
  const first = await create();
  expect(first.lastResponse.headers).not.toHaveProperty('idempotent-replayed');
  await stripe.checkout.sessions.expire(first.id);
  const again = await create();
  expect(again).toMatchObject({ id: first.id, status: 'open' });
  expect(again.lastResponse.headers).toMatchObject({ 'idempotent-replayed': 'true' });
});

it('a 500 is the outcome of the key: it is answered again once Stripe works', async () => {
  await control(standIn, '/failures', { failure: '500', operation: 'create_session', times: 1 });
  await expect(create()).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
  const again = await create().catch((error: unknown) => error);
  expect(again).toMatchObject({ statusCode: 500, headers: { 'idempotent-replayed': 'true' } });
  expect(standIn.records.sessions.size).toBe(0);
  expect(await stripe.checkout.sessions.create(anOrder, { idempotencyKey: 'order-1-2' })).toMatchObject({
    status: 'open',
  });
});

it('so is a refusal whose work was begun', async () => {
  const { id } = await create();
  const intent = standIn.payments.pay(id, 'card').payment_intent ?? '';
  const refund = standIn.returns.refund(intent);
  const again = (idempotencyKey: string) =>
    stripe.refunds.create({ payment_intent: intent }, { idempotencyKey });
  await expect(again('refund-1')).rejects.toMatchObject({ code: 'charge_already_refunded' });
  standIn.returns.failRefund(refund.id);
  await expect(again('refund-1')).rejects.toMatchObject({ code: 'charge_already_refunded' });
  expect(await again('refund-2')).toMatchObject({ amount: 14_900 });
});

const refusals: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['invalid parameters', () => create({ success_url: 'no address' })],
  [
    'a missing permission',
    () => {
      standIn.permissions.restrict({ checkout_sessions: 'read' });
      return create().finally(() => standIn.permissions.restrict({}));
    },
  ],
  ...(['429', '409', '401'] as const).map((kind) => {
    const refused = () => {
      standIn.failures.add({ kind, times: 1 });
      return create();
    };
    return [`a ${kind}`, refused] as const;
  }),
];

it.each(refusals)('%s leaves the key unused', async (_what, refused) => {
  await expect(refused()).rejects.toBeInstanceOf(Stripe.errors.StripeError);
  const session = await create();
  expect(session.lastResponse.headers).not.toHaveProperty('idempotent-replayed');
});

it('is forgotten after a day', async () => {
  const first = await create();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 86_400_001);
  try {
    expect((await create()).id).not.toBe(first.id);
  } finally {
    clock.mockRestore();
  }
});
