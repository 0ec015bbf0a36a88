import Stripe from 'stripe';
import { type StripeStandIn, startStripeStandIn } from './stand-in.js';
import { anOrder, useStandIn } from './stand-in.fixture.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const create = (idempotencyKey?: string): Promise<Stripe.Checkout.Session> =>
  stripe.checkout.sessions.create(anOrder, idempotencyKey === undefined ? {} : { idempotencyKey });

async function paid(): Promise<{ session: string; intent: string }> {
  const { id } = await create();
  const { payment_intent } = standIn.payments.pay(id, 'card');
  return { session: id, intent: payment_intent ?? '' };
}

it('does not run where NODE_ENV is production', async () => {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await expect(startStripeStandIn()).rejects.toThrow('does not run where NODE_ENV is production');
  } finally {
    process.env.NODE_ENV = before;
  }
});

describe('checkout sessions, as the library of Stripe sees them', () => {
  it('are created open and unpaid, with a page to pay on', async () => {
    const session = await create();
    expect(session).toMatchObject({
      object: 'checkout.session',
      amount_total: 14_900,
      client_reference_id: 'order-1',
      currency: 'usd',
      livemode: false,
      metadata: { order_id: 'order-1' },
      payment_intent: null,
      payment_status: 'unpaid',
      status: 'open',
    });
    expect(session.url).toBe(`${standIn.url}/c/pay/${session.id}`);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ id: session.id });
  });

  it('are created once for an Idempotency-Key, and refused for another order under it', async () => {
    const first = await create('order-1');
    const again = await create('order-1');
    expect(again.id).toBe(first.id);
    expect(standIn.records.sessions.size).toBe(1);
    const other = stripe.checkout.sessions.create(
      { ...anOrder, client_reference_id: 'order-2' },
      { idempotencyKey: 'order-1' },
    );
    await expect(other).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  it.each([
    [{ success_url: undefined }, 'success_url'],
    [{ success_url: 'not a url' }, 'success_url'],
    [{ line_items: [] }, 'line_items'],
    [{ customer_email: 'nobody' }, 'customer_email'],
    [{ client_reference_id: 'x'.repeat(201) }, 'client_reference_id'],
    [{ currency: 'usd' }, 'currency'],
  ])('are refused with %j', async (change, param) => {
    const request = stripe.checkout.sessions.create({ ...anOrder, ...change });
    await expect(request).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param });
  });

  it('need the secret key', async () => {
    const { hostname: host, port } = new URL(standIn.url);
    const stranger = new Stripe('sk_test_other', { host, port, protocol: 'http' });
    const request = stranger.checkout.sessions.retrieve('cs_test_1');
    await expect(request).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
  });

  it('that do not exist are a missing resource', async () => {
    const request = stripe.checkout.sessions.retrieve('cs_test_1');
    await expect(request).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 });
  });

  it('can be expired while they are open, and paid no more', async () => {
    const { id } = await create();
    expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
    await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
    expect(() => standIn.payments.pay(id, 'card')).toThrow('expired');
  });

  it('are listed newest first, by page and by payment', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.unshift((await create()).id);
    const listed: string[] = [];
    for await (const { id } of stripe.checkout.sessions.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(ids);
    const { payment_intent } = standIn.payments.pay(ids[2] ?? '', 'card');
    const { data } = await stripe.checkout.sessions.list({ payment_intent: payment_intent ?? '' });
    expect(data.map(({ id }) => id)).toEqual([ids[2]]);
  });
});

describe('payments', () => {
  it('by card are paid at once', async () => {
    const { session, intent } = await paid();
    const found = await stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent'] });
    expect(found).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
      payment_intent: { id: intent, status: 'succeeded', amount_received: 14_900 },
    });
    const { data } = await stripe.charges.list({ payment_intent: intent });
    expect(data).toMatchObject([{ paid: true, amount: 14_900, metadata: { order_id: 'order-1' } }]);
  });

  it.each([
    ['succeeded', 'paid', 'succeeded'],
    ['failed', 'unpaid', 'requires_payment_method'],
  ] as const)('by a delayed method are completed first, and %s later', async (outcome, status, intent) => {
    const { id } = await create();
    standIn.payments.pay(id, 'delayed');
    const retrieve = () => stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    expect(await retrieve()).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: { status: 'processing' },
    });
    standIn.payments.settle(id, outcome);
    expect(await retrieve()).toMatchObject({
      status: 'complete',
      payment_status: status,
      payment_intent: { status: intent },
    });
  });
});

describe('what goes back', () => {
  it('is refunded up to what was paid; a refund that fails does not count', async () => {
    const { intent } = await paid();
    const first = await stripe.refunds.create({ payment_intent: intent, amount: 4_900 });
    standIn.returns.refund(intent);
    await expect(stripe.refunds.create({ payment_intent: intent })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    standIn.returns.failRefund(first.id);
    const { data } = await stripe.refunds.list({ payment_intent: intent });
    expect(data.map(({ amount, status }) => [amount, status])).toEqual([
      [10_000, 'succeeded'],
      [4_900, 'failed'],
    ]);
    const charges = await stripe.charges.list({ payment_intent: intent });
    expect(charges.data).toMatchObject([{ amount_refunded: 10_000, refunded: false }]);
  });

  it('is withdrawn by a dispute and reinstated when that is won; an inquiry takes nothing', async () => {
    const won = await paid();
    const dispute = standIn.returns.dispute(won.intent);
    const fundsOf = async (): Promise<number[]> => {
      const { balance_transactions } = await stripe.disputes.retrieve(dispute.id);
      return balance_transactions.map(({ amount }) => amount);
    };
    expect(await fundsOf()).toEqual([-14_900]);
    await expect(stripe.refunds.create({ payment_intent: won.intent })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
    standIn.returns.closeDispute(dispute.id, 'won');
    expect(await fundsOf()).toEqual([-14_900, 14_900]);

    const lost = await paid();
    await stripe.disputes.close(standIn.returns.dispute(lost.intent, { amount: 100 }).id);
    const asked = await paid();
    standIn.returns.dispute(asked.intent, { isInquiry: true });
    const { data } = await stripe.disputes.list({ created: { gte: 1 } });
    expect(
      data.map(({ status, balance_transactions }) => [status, balance_transactions.map((t) => t.amount)]),
    ).toEqual([
      ['warning_needs_response', []],
      ['lost', [-100]],
      ['won', [-14_900, 14_900]],
    ]);
  });
});

describe('requests to the API can be disturbed', () => {
  it('an answer that is lost has had its effect, which an Idempotency-Key finds again', async () => {
    standIn.intercept(async (_call, run) => {
      standIn.intercept();
      await run();
      throw new Error('the connection breaks');
    });
    const { id } = await create('order-1');
    expect([...standIn.records.sessions.keys()]).toEqual([id]);
  });

  it('an outage is an error of the API', async () => {
    standIn.intercept(() => Promise.resolve({ status: 503, body: { error: { message: 'down' } } }));
    await expect(create()).rejects.toBeInstanceOf(Stripe.errors.StripeAPIError);
  });
});
