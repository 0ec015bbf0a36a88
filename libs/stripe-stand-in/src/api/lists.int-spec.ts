import type Stripe from 'stripe';
import { anOrder, payByCard, useStandIn } from '../stand-in.fixture.js';
import { type StripeStandIn } from '../stand-in.js';

let standIn: StripeStandIn;
let stripe: Stripe;
useStandIn((open) => ({ standIn, stripe } = open));

const pay = (): Promise<string> => payByCard({ standIn, stripe });

const typesOf = ({ data }: { readonly data: readonly Stripe.Event[] }): string[] =>
  data.map(({ type }) => type);
const known = (): string[] => [...standIn.records.events.keys()];

describe('events', () => {
  it('are listed newest first, by page, and one by one', async () => {
    await pay();
    const listed: string[] = [];
    for await (const { id } of stripe.events.list({ limit: 2 })) listed.push(id);
    expect(listed).toEqual(known().toReversed());
    const [newest = ''] = listed;
    expect(await stripe.events.retrieve(newest)).toMatchObject({
      object: 'event',
      type: 'checkout.session.completed',
      data: { object: { object: 'checkout.session', payment_status: 'paid' } },
    });
    await expect(stripe.events.retrieve('evt_1')).rejects.toMatchObject({ code: 'resource_missing' });
  });

  it('can be asked for by type', async () => {
    const intent = await pay();
    standIn.returns.refund(intent);
    const types = ['checkout.session.completed', 'refund.created'];
    expect(typesOf(await stripe.events.list({ types })).toSorted()).toEqual(types);
    expect(typesOf(await stripe.events.list({ type: 'refund.created' }))).toEqual(['refund.created']);
    expect(typesOf(await stripe.events.list({ type: 'charge.*' }))).toEqual([
      'charge.refunded',
      'charge.succeeded',
    ]);
  });

  it('can be asked for by time', async () => {
    await pay();
    const ids = known();
    for (const [index, event] of [...standIn.records.events.values()].entries()) {
      event.created = standIn.records.now - 100 + index;
    }
    const at = (index: number): number => standIn.records.events.get(ids[index] ?? '')?.created ?? 0;
    const idsOf = async (created: Stripe.RangeQueryParam): Promise<string[]> =>
      (await stripe.events.list({ created })).data.map(({ id }) => id).toReversed();
    expect(await idsOf({ gte: at(1), lte: at(2) })).toEqual(ids.slice(1, 3));
    expect(await idsOf({ gt: at(1), lt: at(3) })).toEqual(ids.slice(2, 3));
  });

  it('can be asked for before and after another, also of another type', async () => {
    await pay();
    const middle = known()[1] ?? '';
    const newer = await stripe.events.list({ ending_before: middle, limit: 1 });
    expect(newer).toMatchObject({ data: [{ id: known()[2] }], has_more: true });
    expect(await stripe.events.list({ starting_after: middle })).toMatchObject({
      data: [{ id: known()[0] }],
      has_more: false,
    });
    const created = await stripe.events.list({ starting_after: middle, type: 'payment_intent.created' });
    expect(created.data).toHaveLength(1);
  });

  it('are kept for 30 days', async () => {
    await pay();
    const [oldest] = standIn.records.events.values();
    if (oldest) oldest.created -= 30 * 86_400 + 1;
    expect((await stripe.events.list()).data).toHaveLength(known().length - 1);
    await expect(stripe.events.retrieve(oldest?.id ?? '')).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('refunds', () => {
  it('are made with a reason and metadata, once for an Idempotency-Key', async () => {
    const payment_intent = await pay();
    const wanted = {
      payment_intent,
      amount: 900,
      reason: 'requested_by_customer',
      metadata: { order_id: 'order-1' },
    } as const;
    const refund = await stripe.refunds.create(wanted, { idempotencyKey: 'refund-1' });
    expect(refund).toMatchObject({ ...wanted, object: 'refund', status: 'succeeded', currency: 'usd' });
    expect(await stripe.refunds.create(wanted, { idempotencyKey: 'refund-1' })).toMatchObject({
      id: refund.id,
    });
    expect(await stripe.refunds.retrieve(refund.id)).toEqual(expect.objectContaining({ amount: 900 }));
    const rest = await stripe.refunds.create({ charge: refund.charge as string });
    expect(rest).toMatchObject({ amount: 14_000, payment_intent, reason: null });
  });

  it.each([
    [{ amount: 0 }, 'amount'],
    [{ amount: 14_901 }, 'amount'],
    [{ reason: 'regret' }, 'reason'],
    [{ payment_intent: undefined }, 'payment_intent'],
    [{ currency: 'usd' }, 'currency'],
  ])('are refused with %j', async (change, param) => {
    const request = stripe.refunds.create({ payment_intent: await pay(), ...change });
    await expect(request).rejects.toMatchObject({ type: 'StripeInvalidRequestError', param });
  });
});

describe('expanded fields', () => {
  it('are found in single objects and in lists', async () => {
    const payment_intent = await pay();
    await stripe.refunds.create({ payment_intent, amount: 900 });
    standIn.returns.dispute(payment_intent);
    const expand = ['latest_charge.balance_transaction'];
    expect(await stripe.paymentIntents.retrieve(payment_intent, { expand })).toMatchObject({
      latest_charge: { amount_refunded: 900, balance_transaction: { amount: 14_900, net: 14_900, fee: 0 } },
    });
    const listed = { expand: ['data.charge', 'data.payment_intent.latest_charge'] };
    const expanded = {
      charge: { object: 'charge' },
      payment_intent: { id: payment_intent, latest_charge: { disputed: true } },
    };
    expect((await stripe.refunds.list(listed)).data).toMatchObject([expanded]);
    expect((await stripe.disputes.list(listed)).data).toMatchObject([expanded]);
  });

  it('are refused when there is no such field', async () => {
    const { id } = await stripe.checkout.sessions.create(anOrder);
    for (const path of ['payment_intent.coffee', 'url', 'data.payment_intent']) {
      await expect(stripe.checkout.sessions.retrieve(id, { expand: [path] })).rejects.toMatchObject({
        param: 'expand',
      });
    }
  });
});
