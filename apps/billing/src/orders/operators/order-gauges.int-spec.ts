import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { OrderDecisionsService } from './order-decisions.service.js';
import { type Started, useShop } from '../shop.fixture.js';
import { OrderGauges } from './order-gauges.js';

const shop = useShop();

beforeAll(() => {
  Logger.overrideLogger(false);
});

async function waiting(): Promise<{ review: number | undefined; warned: number | undefined }> {
  const value = async (name: string) =>
    (await register.getSingleMetric(`creator_search_${name}`)?.get())?.values[0]?.value;
  return { review: await value('orders_to_review'), warned: await value('orders_with_fraud_warning') };
}

const warn = ({ orderId }: Started) =>
  shop.ledger.query('UPDATE orders SET fraud_warning_at = ledger_now() WHERE id = $1', [orderId]);

beforeEach(() => {
  register.clear();
  shop.ledger.get(OrderGauges).onModuleInit();
});

it('each order that differs counts once, until it is resolved or everything is refunded', async () => {
  const [one, other] = [await shop.underpaid(), await shop.underpaid()];
  await shop.deliverAll();
  expect(await waiting()).toEqual({ review: 2, warned: 0 });
  await shop.ledger.get(OrderDecisionsService).resolve({ order_id: one.orderId, resolution: 'granted' });
  expect(await waiting()).toEqual({ review: 1, warned: 0 });
  await shop.ledger.get(OrderDecisionsService).refund(other.orderId, undefined);
  expect(await waiting()).toEqual({ review: 0, warned: 0 });
});

it('each warning counts until its payment is refunded or the order accepted', async () => {
  const [one, other] = [await shop.granted(), await shop.granted()];
  await warn(one);
  await warn(other);
  expect(await waiting()).toEqual({ review: 0, warned: 2 });
  await shop.ledger.get(OrderDecisionsService).refund(one.orderId, 'fraudulent');
  expect(await waiting()).toEqual({ review: 0, warned: 1 });
  await shop.ledger.get(OrderDecisionsService).accept(other.orderId);
  expect(await waiting()).toEqual({ review: 0, warned: 0 });
  await expect(shop.ledger.get(OrderDecisionsService).accept(other.orderId)).rejects.toMatchObject({
    code: 'conflict',
  });
});
