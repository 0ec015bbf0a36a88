import { Logger } from '@nestjs/common';
import { useShop } from '../shop.fixture.js';
import { OrderDecisionsService } from '../operators/order-decisions.service.js';
import { ReviewedOrdersService } from '../operators/reviewed-orders.service.js';

const shop = useShop();
let logged: string[];

beforeEach(() => {
  logged = [];
  const error = (message: unknown) => void logged.push(String(message));
  Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error });
});
afterAll(() => {
  Logger.overrideLogger(false);
});

const warning = (payment: { payment_intent: string | null; charge: string }) => ({
  type: 'radar.early_fraud_warning.created',
  data: { object: { object: 'radar.early_fraud_warning', ...payment } },
});

const review = (orderId: string) => shop.ledger.get(ReviewedOrdersService).show(orderId);

function chargeOf(intentId: string): string {
  const { latest_charge } = shop.standIn.records.paymentIntent(intentId);
  if (latest_charge === null) throw new Error('it is not paid');
  return latest_charge;
}

it('a warning is noted at its order and logged once, however often it comes, and a refund answers it', async () => {
  const { orderId, accountId, intentId } = await shop.granted();
  shop.standIn.returns.warnOfFraud(intentId);
  await shop.deliverAll();
  const event = warning({ payment_intent: intentId, charge: chargeOf(intentId) });
  await shop.deliver(event, 1);
  const { fraud_warning_at } = await review(orderId);
  expect(await review(orderId)).toMatchObject({
    state: 'granted',
    fraud_warning_at: expect.any(String) as string,
    concerns: ['fraud_warning'],
    actions: ['refund', 'accept'],
  });
  expect(logged).toEqual([
    expect.stringContaining(`of order ${orderId} of account ${accountId} is probably fraud`),
  ]);
  await shop.ledger.get(OrderDecisionsService).refund(orderId, 'fraudulent');
  await shop.deliver(event);
  expect(await review(orderId)).toMatchObject({ fraud_warning_at, concerns: [], credits_left: 0 });
});

it('a warning after credits of the order were written off is shown and counted', async () => {
  const { orderId, intentId } = await shop.granted();
  await shop.ledger.query(
    `UPDATE orders SET accepted_at = ledger_now() - interval '1 minute' WHERE id = $1`,
    [orderId],
  );
  await shop.deliver(warning({ payment_intent: intentId, charge: chargeOf(intentId) }));
  expect(await review(orderId)).toMatchObject({ concerns: ['fraud_warning'] });
  const { items } = await shop.ledger.get(ReviewedOrdersService).list({ limit: 5, attention: true });
  expect(items).toMatchObject([{ id: orderId }]);
});

it('a warning that names only the charge finds its order', async () => {
  const { orderId, intentId } = await shop.granted();
  await shop.deliver(warning({ payment_intent: null, charge: chargeOf(intentId) }));
  expect(await review(orderId)).toMatchObject({ concerns: ['fraud_warning'] });
});

it('a warning before anything else was heard of the payment finds its order, which is granted', async () => {
  const started = await shop.paid();
  const intentId = shop.intentOf(started);
  await shop.deliver(warning({ payment_intent: intentId, charge: chargeOf(intentId) }));
  expect(await review(started.orderId)).toMatchObject({ state: 'granted', concerns: ['fraud_warning'] });
});

it('a warning about a payment that is none of ours is ignored', async () => {
  await shop.granted();
  await shop.deliver(warning({ payment_intent: 'pi_of_another_shop', charge: 'ch_of_another_shop' }));
  await shop.deliver(warning({ payment_intent: null, charge: 'ch_of_another_shop' }));
  expect(logged).toEqual([]);
  expect((await shop.ledger.get(ReviewedOrdersService).list({ limit: 5, attention: true })).items).toEqual(
    [],
  );
});
