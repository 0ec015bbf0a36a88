import { Logger } from '@nestjs/common';
import { type OrderReview } from '#contracts';
import { useShop } from '../shop.fixture.js';
import { OrderDecisionsService } from './order-decisions.service.js';
import { ReviewedOrdersService } from './reviewed-orders.service.js';

const shop = useShop();

beforeAll(() => {
  Logger.overrideLogger(false);
});

function refund(orderId: string, replica = 0): Promise<void> {
  return shop.replica(replica).get(OrderDecisionsService).refund(orderId, 'requested_by_customer');
}

function review(orderId: string): Promise<OrderReview> {
  return shop.ledger.get(ReviewedOrdersService).show(orderId);
}

const refunds = () => [...shop.standIn.records.refunds.values()];

it('gives all that is left back, and takes the credits at once', async () => {
  const { orderId, accountId, intentId } = await shop.granted();
  shop.standIn.returns.refund(intentId, 2_980);
  await refund(orderId);
  expect(refunds().map(({ amount }) => amount)).toEqual([2_980, 11_920]);
  expect(refunds()[1]).toMatchObject({ reason: 'requested_by_customer', metadata: { order_id: orderId } });
  expect(await shop.ledger.balance(accountId)).toBe(0);
  expect(await review(orderId)).toMatchObject({ returned_cents: 14_900, credits_left: 0, actions: [] });
  await expect(refund(orderId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Nothing is left to refund') as string,
  });
});

it('two operators at once give it back once', async () => {
  const { orderId } = await shop.granted();
  const both = await Promise.allSettled([refund(orderId, 0), refund(orderId, 1)]);
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
  expect(refunds().map(({ amount }) => amount)).toEqual([14_900]);
});

it('what was refunded in the Dashboard meanwhile is no error, and takes the credits', async () => {
  const { orderId, accountId, intentId } = await shop.granted();
  shop.standIn.returns.refund(intentId);
  await refund(orderId);
  expect(await shop.ledger.balance(accountId)).toBe(0);
});

it('an operator reads which permission the key lacks', async () => {
  const { orderId, accountId } = await shop.granted();
  shop.standIn.permissions.restrict({ charges: 'read' });
  await expect(refund(orderId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('"Charges: Write"') as string,
  });
  expect(await shop.ledger.balance(accountId)).toBe(500);
  shop.standIn.permissions.restrict({});
  await refund(orderId);
  expect(await shop.ledger.balance(accountId)).toBe(0);
});

it('a failure that Stripe keeps is not the answer to the next attempt', async () => {
  const { orderId } = await shop.granted();
  // The library tries once more by itself, under the same key.
  shop.standIn.failures.add({ kind: '500', operation: 'create_refund', times: 1 });
  await expect(refund(orderId)).rejects.toMatchObject({ code: 'unavailable' });
  await refund(orderId);
  expect(refunds().map(({ amount }) => amount)).toEqual([14_900]);
  expect(await review(orderId)).toMatchObject({ returned_cents: 14_900 });
});

it('an answer that was lost is not asked for as another refund', async () => {
  const { orderId } = await shop.granted();
  shop.standIn.failures.add({ kind: 'break', when: 'after', operation: 'create_refund', times: 2 });
  await expect(refund(orderId)).rejects.toMatchObject({ code: 'unavailable' });
  await refund(orderId);
  expect(refunds()).toHaveLength(1);
});

it('a refund that failed at the bank can be made again', async () => {
  const { orderId } = await shop.granted();
  await refund(orderId);
  shop.standIn.returns.failRefund(refunds()[0]?.id ?? '');
  await shop.deliverAll();
  expect(await review(orderId)).toMatchObject({ returned_cents: 0, credits_left: 500, actions: ['refund'] });
  await refund(orderId);
  expect(refunds().map(({ status }) => status)).toEqual(['failed', 'succeeded']);
});

it('a disputed payment is not refunded, and Stripe says why', async () => {
  const { orderId, intentId } = await shop.granted();
  shop.standIn.returns.dispute(intentId, { amount: 1_000 });
  await expect(refund(orderId)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('charged back') as string,
  });
});

it('an order of which nothing was paid, or that was paid twice, is not refunded', async () => {
  const unpaid = await shop.started();
  await expect(refund(unpaid.orderId)).rejects.toMatchObject({ code: 'conflict' });
  const twice = await shop.granted();
  await shop.ledger.query(
    `UPDATE orders SET problem = 'a second payment', problem_at = ledger_now(), problem_sessions = '{cs_2}' WHERE id = $1`,
    [twice.orderId],
  );
  await expect(refund(twice.orderId)).rejects.toMatchObject({
    message: expect.stringContaining('paid twice') as string,
  });
  await expect(refund(twice.accountId)).rejects.toMatchObject({ code: 'not_found' });
});

it('credits that were spent are written off once, and count again when more are missing', async () => {
  const order = await shop.granted();
  const customer = await shop.customerOf(order);
  const { id } = await customer.charge(shop.ledger.replicas[0], 450);
  await customer.settle(shop.ledger.replicas[0], id, 'posted');
  const accept = () => shop.ledger.get(OrderDecisionsService).accept(order.orderId);
  await expect(accept()).rejects.toMatchObject({ code: 'conflict' });
  await shop.refund(order, 7_450);
  expect(await review(order.orderId)).toMatchObject({
    credits_not_recovered: 200,
    concerns: ['not_recovered'],
    actions: ['refund', 'accept'],
  });
  await accept();
  expect(await review(order.orderId)).toMatchObject({ concerns: [], actions: ['refund'] });
  await expect(accept()).rejects.toMatchObject({ code: 'conflict' });
  await shop.refund(order);
  expect(await review(order.orderId)).toMatchObject({
    credits_not_recovered: 450,
    concerns: ['not_recovered'],
  });
});
