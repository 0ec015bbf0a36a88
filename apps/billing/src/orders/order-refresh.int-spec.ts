import { lotReference } from '../credits/references.js';
import { OrderRefresh } from './order-refresh.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();

it('an order that is paid is granted once, and all simultaneous requests are answered so', async () => {
  const order = await shop.paid();
  const stored = await shop.order(order);
  const asked = Array.from({ length: 8 }, (_, replica) =>
    shop.replica(replica).get(OrderRefresh).refresh(stored, 'event'),
  );
  for (const { state } of await Promise.all(asked)) expect(state).toBe('granted');
  expect(await shop.lots(order.accountId)).toEqual([
    { credits: 500, remaining: 500, reference: lotReference(order.orderId) },
  ]);
});

it('every answer is noted, also one that changes nothing', async () => {
  const order = await shop.started();
  const at = (minute: number) => shop.at(minute * 60_000);
  const answered = async () => (await shop.order(order)).answeredAt?.toISOString();
  await at(0);
  await shop.comeBack(order);
  expect(await answered()).toBe('2026-03-01T12:00:00.000Z');
  shop.standIn.payments.pay(order.sessionId, 'card');
  await at(1);
  await shop.comeBack(order);
  await at(2);
  await shop.refresh(order);
  expect(await answered()).toBe('2026-03-01T12:02:00.000Z');
});
