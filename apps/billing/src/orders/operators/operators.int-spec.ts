import { type ListOrderReviewsRequest, type OrderReview } from '#contracts';
import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { type Started, useShop } from '../shop.fixture.js';
import { ReviewedOrdersService } from './reviewed-orders.service.js';

const shop = useShop();
const conflict = { code: 'conflict' };
const notFound = { code: 'not_found' };

beforeAll(() => {
  Logger.overrideLogger(false);
});

const reviews = (replica = 0): ReviewedOrdersService => shop.replica(replica).get(ReviewedOrdersService);
const resolve = ({ orderId }: Started, resolution: 'granted' | 'refunded', replica = 0) =>
  reviews(replica).resolve({ order_id: orderId, resolution });
const refund = (orderId: string, replica = 0): Promise<OrderReview> =>
  reviews(replica).refund({ order_id: orderId, reason: 'requested_by_customer' });
const review = (orderId: string): Promise<OrderReview> => reviews().show({ order_id: orderId });
const refunds = () => [...shop.standIn.records.refunds.values()];
const saying = (words: string) => ({ ...conflict, message: expect.stringContaining(words) as string });

/** An order in review, of which billing knows. */
async function inReview(): Promise<Started> {
  const order = await shop.underpaid();
  await shop.deliverAll();
  return order;
}

async function set({ orderId }: Started, columns: string): Promise<void> {
  await shop.ledger.query(`UPDATE orders SET ${columns} WHERE id = $1`, [orderId]);
}
const paidTwice = `problem = 'a second payment', problem_at = ledger_now(), problem_sessions = '{cs_2}'`;

describe('an order in review', () => {
  it('is granted once when operators say so, for the money that is still there, and that is in their log once', async () => {
    const order = await shop.underpaid();
    await shop.refund(order, 950);
    const operator = { id: null, name: 'ADMIN_TOKEN', requestId: 'request 1' };
    const request = { order_id: order.orderId, resolution: 'granted' } as const;
    const asked = [0, 1, 2, 3].map((replica) => reviews(replica).resolve(request, { operator }));
    for (const resolved of await Promise.all(asked)) expect(resolved).toMatchObject({ state: 'granted' });
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({ resolution: 'granted', creditsTakenBack: 250 });
    expect(await shop.lots(order.accountId)).toMatchObject([{ credits: 500, remaining: 250 }]);
    await expect(resolve(order, 'refunded')).rejects.toMatchObject(conflict);
    const log = 'SELECT action, request_id, before, after FROM admin_log WHERE subject = $1';
    expect(await shop.ledger.query(log, [order.orderId])).toMatchObject([
      {
        ...{ action: 'order.resolved', request_id: 'request 1' },
        ...{ before: { state: 'in_review', returned_cents: 950 }, after: { resolution: 'granted' } },
      },
    ]);
    await shop.refund(order);
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });

  it('ends without credits when an operator says so, whatever is reported later', async () => {
    await expect(resolve(await shop.granted(), 'refunded')).rejects.toMatchObject(conflict);
    const order = await inReview();
    for (const replica of [0, 1]) await resolve(order, 'refunded', replica);
    await expect(resolve(order, 'granted')).rejects.toMatchObject(conflict);
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({ state: 'refunded', resolution: 'refunded', lotId: null });
  });

  it('ends by itself when everything went back, and is open again when that fails', async () => {
    const order = await inReview();
    const { id } = await shop.refund(order);
    expect(await shop.order(order)).toMatchObject({ state: 'refunded', resolution: 'refunded' });
    shop.standIn.returns.failRefund(id);
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({ state: 'refunded', resolution: null, resolvedAt: null });
    await expect(resolve(order, 'granted')).rejects.toMatchObject(saying('in the Stripe Dashboard'));
    await expect(refund(order.orderId)).rejects.toMatchObject(saying('in the Stripe Dashboard'));
    expect(await resolve(order, 'refunded')).toMatchObject({ state: 'refunded', resolution: 'refunded' });
  });
});

describe('a refund by an operator', () => {
  it('gives back all that is left, and takes the credits at once', async () => {
    const { orderId, accountId, intentId } = await shop.granted();
    shop.standIn.returns.refund(intentId, 2_980);
    await refund(orderId);
    expect(refunds().map(({ amount }) => amount)).toEqual([2_980, 11_920]);
    expect(refunds()[1]).toMatchObject({ reason: 'requested_by_customer', metadata: { order_id: orderId } });
    expect(await shop.ledger.balance(accountId)).toBe(0);
    expect(await review(orderId)).toMatchObject({ returned_cents: 14_900, credits_left: 0, actions: [] });
    await expect(refund(orderId)).rejects.toMatchObject(saying('Nothing is left to refund'));
  });

  it('is one when two operators ask for it at once, or when it was made in the Dashboard meanwhile', async () => {
    const [{ orderId }, other] = [await shop.granted(), await shop.granted()];
    const both = await Promise.allSettled([refund(orderId, 0), refund(orderId, 1)]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    shop.standIn.returns.refund(other.intentId);
    await refund(other.orderId);
    expect(refunds().map(({ amount }) => amount)).toEqual([14_900, 14_900]);
    expect(await shop.ledger.balance(other.accountId)).toBe(0);
  });

  it.each([
    // The library tries once more by itself, under the same key.
    ['a failure that Stripe keeps', { kind: '500', operation: 'create_refund', times: 1 }],
    ['an answer that was lost', { kind: 'break', when: 'after', operation: 'create_refund', times: 2 }],
  ] as const)('can be asked for again after %s, and is one', async (_what, failure) => {
    const { orderId } = await shop.granted();
    shop.standIn.failures.add(failure);
    await expect(refund(orderId)).rejects.toMatchObject({ code: 'unavailable' });
    await refund(orderId);
    expect(refunds().map(({ amount }) => amount)).toEqual([14_900]);
    expect(await review(orderId)).toMatchObject({ returned_cents: 14_900 });
  });

  it('that failed at the bank can be made again', async () => {
    const { orderId } = await shop.granted();
    await refund(orderId);
    shop.standIn.returns.failRefund(refunds()[0]?.id ?? '');
    await shop.deliverAll();
    const back = { returned_cents: 0, credits_left: 500, actions: ['refund'] };
    expect(await review(orderId)).toMatchObject(back);
    await refund(orderId);
    expect(refunds().map(({ status }) => status)).toEqual(['failed', 'succeeded']);
  });

  it('is refused with the reason: a missing permission, a dispute, nothing paid, two payments', async () => {
    const order = await shop.granted();
    shop.standIn.permissions.restrict({ charges: 'read' });
    await expect(refund(order.orderId)).rejects.toMatchObject(saying('allowed Charges: Write'));
    shop.standIn.permissions.restrict({});
    shop.standIn.returns.dispute(order.intentId, { amount: 1_000 });
    await expect(refund(order.orderId)).rejects.toMatchObject(saying('charged back'));
    await expect(refund((await shop.started()).orderId)).rejects.toMatchObject(saying('Nothing was paid'));
    await set(order, paidTwice);
    await expect(refund(order.orderId)).rejects.toMatchObject(saying('paid twice'));
    await expect(refund(order.accountId)).rejects.toMatchObject(notFound);
    expect(refunds()).toEqual([]);
  });

  it('leaves spent credits to be written off, once, until more are missing', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    await customer.spend(shop.ledger.replicas[0], 450);
    const accept = () => reviews().accept({ order_id: order.orderId });
    await expect(accept()).rejects.toMatchObject(conflict);
    await shop.refund(order, 7_450);
    const missing = { credits_not_recovered: 200, concerns: ['not_recovered'] };
    expect(await review(order.orderId)).toMatchObject(missing);
    await accept();
    expect(await review(order.orderId)).toMatchObject({ concerns: [], actions: ['refund'] });
    await expect(accept()).rejects.toMatchObject(conflict);
    await shop.refund(order);
    expect(await review(order.orderId)).toMatchObject({ ...missing, credits_not_recovered: 450 });
  });
});

describe('what operators see', () => {
  async function listed(request: Partial<ListOrderReviewsRequest> = {}): Promise<OrderReview[]> {
    return (await reviews().list({ limit: 50, ...request })).items;
  }
  const idsOf = (orders: readonly { id: string }[]) => orders.map(({ id }) => id);

  it('is everything of an order', async () => {
    const order = await shop.granted();
    const person = await shop.ledger.factory.member(order.accountId, 'ada@site.example', 'owner');
    await set(order, `person_id = '${person}'`);
    expect(await review(order.orderId)).toMatchObject({
      account: { id: order.accountId, email: expect.stringMatching(/@/) as string },
      person: { email: 'ada@site.example' },
      ...{ checkout_session_id: order.sessionId, payment_intent_id: order.intentId },
      ...{ credits_left: 500, concerns: [], actions: ['refund'] },
    });
  });

  it('is a list of what needs attention, and why', async () => {
    await shop.started();
    const [problem, spent] = [await shop.granted(), await shop.granted()];
    await set(problem, paidTwice);
    await set(spent, 'returned_cents = 14900, credits_not_recovered = 500');
    expect((await listed({ attention: true })).map(({ id, concerns }) => [id, concerns])).toEqual([
      [spent.orderId, ['not_recovered']],
      [problem.orderId, ['problem']],
    ]);
    const { accountId: account_id } = problem;
    expect(idsOf(await listed({ attention: true, account_id }))).toEqual([problem.orderId]);
    await set(problem, `resolution = 'granted', resolved_at = ledger_now()`);
    await set(spent, 'accepted_at = ledger_now()');
    expect(await listed({ attention: true })).toEqual([]);
  });

  it('is a metric of the orders in review, until they are resolved or refunded', async () => {
    const toReview = async () =>
      (await register.getSingleMetric('creator_search_orders_to_review')?.get())?.values[0]?.value;
    const [one, other] = [await shop.underpaid(), await inReview()];
    expect(await toReview()).toBe(2);
    await resolve(one, 'granted');
    expect(await toReview()).toBe(1);
    await refund(other.orderId);
    expect(await toReview()).toBe(0);
  });
});
