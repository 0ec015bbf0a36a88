import { PaymentEventsService } from './payment-events.service.js';
import Stripe from 'stripe';
import { useShop, webhookSecret } from '../shop.fixture.js';

const shop = useShop();

describe('events of Stripe', () => {
  it('need not be true: what counts is what Stripe says then', async () => {
    const order = await shop.started();
    const session = { ...shop.standIn.records.session(order.sessionId), payment_status: 'paid' };
    const forged = { id: 'evt_1', object: 'event', type: 'checkout.session.completed' };
    await shop.deliver({ ...forged, data: { object: session } });
    expect(await shop.order(order)).toMatchObject({ state: 'open' });
  });

  it('find the order of a session that was paid before its id was stored', async () => {
    const order = await shop.started();
    await shop.ledger.query('UPDATE orders SET checkout_session_id = NULL, payment_intent_id = NULL');
    shop.standIn.payments.pay(order.sessionId, 'card');
    const refund = shop.standIn.returns.refund(shop.intentOf(order), 2_980);
    await shop.deliver({ object: 'event', type: 'refund.created', data: { object: refund } });
    expect(await shop.order(order)).toMatchObject({
      state: 'granted',
      checkoutSessionId: order.sessionId,
      returnedCents: 2_980,
      creditsTakenBack: 100,
    });
  });

  it.each([
    ['a basket of another seller', { amount: 500, clientReferenceId: 'basket 7' }],
    // As by a Payment Link of the shop with `?client_reference_id=`, which buyers can write themselves.
    ['something else of the same price, by a buyer who names the order', {}],
  ])('about another payment in the same account of Stripe change nothing: %s', async (_what, given) => {
    const order = await shop.started();
    const other = shop.paidElsewhere(order, given);
    shop.standIn.returns.refund(other.payment_intent ?? '', 100);
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({ state: 'open', refreshes: 0, problem: null });
    expect(await shop.lots(order.accountId)).toEqual([]);
    expect(new Set((await shop.inbox()).map(({ state }) => state))).toEqual(new Set(['ignored']));
  });
});

describe('an event', () => {
  it('is refused unless Stripe has signed it', async () => {
    const order = await shop.paid();
    const events = shop.replicas[0].get(PaymentEventsService);
    const body = JSON.stringify(shop.events.at(-1));
    const at = Math.floor(Date.now() / 1_000);
    for (const signature of ['', 'nonsense', `t=${at},v1=${'0'.repeat(64)}`]) {
      await expect(events.handleEvent({ body, signature })).rejects.toMatchObject({
        code: 'invalid_request',
        details: { signature: [expect.any(String) as string] },
      });
    }
    expect(await shop.order(order)).toMatchObject({ state: 'open' });
  });

  it('is refused, with the reason, when Stripe has signed what is no event', async () => {
    const events = shop.replicas[0].get(PaymentEventsService);
    for (const body of ['{', '[]', '"evt_1"', '{"id":"evt_1"}', '{"type":"checkout.session.completed"}']) {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: webhookSecret });
      await expect(events.handleEvent({ body, signature })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringContaining('The signature is right') as string,
      });
    }
  });

  it.each([
    ['another account (Connect)', { account: 'acct_other' }],
    ['nothing that can be read here ("thin" payloads)', { data: undefined }],
    ['a customer', { type: 'customer.created' }],
  ])('of %s is taken, and forgotten', async (_what, change) => {
    const order = await shop.paid();
    await shop.deliver({ ...shop.events.at(-1), ...change });
    expect(await shop.inbox()).toEqual([]);
    expect(await shop.order(order)).toMatchObject({ state: 'open' });
  });

  it('about what our key cannot see is ignored, however often Stripe sends it', async () => {
    const event = { id: 'evt_1', object: 'event', type: 'checkout.session.completed' };
    await shop.deliver({ ...event, data: { object: { id: 'cs_test_unseen' } } });
    await shop.deliver({ ...event, data: { object: { id: 'cs_test_unseen' } } });
    expect(await shop.inbox()).toMatchObject([{ id: 'evt_1', state: 'ignored', attempts: 1 }]);
  });

  it('about an order of ours that Stripe does not know is no foreign one: it is tried again', async () => {
    const order = await shop.paid();
    const session = shop.standIn.records.session(order.sessionId);
    shop.standIn.records.sessions.delete(order.sessionId);
    await shop.deliver(shop.events.at(-1) ?? {});
    expect(await shop.inbox()).toMatchObject([
      { state: 'waiting', problem: 'Stripe does not know the payment of this order of ours.' },
    ]);
    shop.standIn.records.sessions.set(order.sessionId, session);
    await shop.retry();
    expect(await shop.order(order)).toMatchObject({ state: 'granted' });
  });

  it('whose answer is overtaken by a younger one is not applied', async () => {
    const order = await shop.paid();
    await shop.deliverAll();
    // The first question is answered with what was true before the refund, after the second one was.
    let goOn: () => void = () => undefined;
    const isLate = new Promise<void>((resolve) => (goOn = resolve));
    let arrived: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (arrived = resolve));
    let asked = 0;
    shop.standIn.intercept(async ({ path }, run) => {
      const reply = await run();
      if (path === '/v1/refunds' && ++asked === 1) {
        arrived();
        await isLate;
      }
      return reply;
    });
    const event = shop.events.find(({ type }) => type === 'checkout.session.completed');
    if (!event) throw new Error('there is no event');
    const early = shop.deliver({ ...event, id: 'evt_early' });
    await isAsked;
    const refund = shop.standIn.returns.refund(shop.intentOf(order));
    await shop.deliver({ object: 'event', type: 'refund.created', data: { object: refund } }, 1);
    goOn();
    await early;
    expect(await shop.order(order)).toMatchObject({ returnedCents: 14_900, creditsTakenBack: 500 });
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });
});
