import { until } from '#testing';
import { lotReference } from '../credits/references.js';
import { OrderRefresh } from './order-refresh.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();

beforeEach(() => shop.at(0));

it('an unpaid order that is viewed again and again asks Stripe every ten seconds, whichever replica shows it', async () => {
  const order = await shop.started();
  const requests = shop.countRequests();
  const views = Array.from({ length: 30 }, (_, replica) => shop.view(order, replica));
  expect(new Set((await Promise.all(views)).map(({ state }) => state))).toEqual(new Set(['open']));
  expect(requests()).toBe(1);
  shop.standIn.payments.pay(order.sessionId, 'delayed');
  await shop.at(9_999);
  expect(await shop.view(order)).toMatchObject({ state: 'open' });
  expect(requests()).toBe(1);
  await shop.at(10_000);
  expect(await shop.view(order)).toMatchObject({ state: 'processing' });
  expect(requests()).toBe(2);
  expect(await shop.view(order, 1)).toMatchObject({ state: 'processing' });
  expect(requests()).toBe(2);
});

it.each(['granted', 'expired', 'failed'] as const)(
  'an order that has ended asks Stripe nothing: %s',
  async (end) => {
    const order = await shop.started();
    if (end === 'expired') shop.standIn.payments.expire(order.sessionId);
    else shop.standIn.payments.pay(order.sessionId, end === 'granted' ? 'card' : 'delayed');
    if (end === 'failed') shop.standIn.payments.settle(order.sessionId, 'failed');
    expect(await shop.view(order)).toMatchObject({ state: end });
    const requests = shop.countRequests();
    await shop.at(3_600_000);
    expect(await shop.view(order)).toMatchObject({ state: end });
    expect(requests()).toBe(0);
  },
);

it('the same form sent again and again leads to the same page, and asks Stripe no more than views do', async () => {
  const accountId = await shop.ledger.factory.account();
  const { orderId } = await shop.start(accountId);
  const requests = shop.countRequests();
  const url = shop.sessions[0]?.url;
  for (let sent = 0; sent < 20; sent += 1) {
    expect(await shop.ask(accountId, { orderId, replica: sent })).toMatchObject({ checkout_url: url });
  }
  expect(requests()).toBe(1);
});

it('many orders viewed while Stripe hangs: four views of a replica wait for it, the others show what is known', async () => {
  const accountId = await shop.ledger.factory.account();
  const orders = [];
  for (let count = 0; count < 12; count += 1) orders.push(await shop.start(accountId));
  const { held, release } = shop.hold();
  let shown = 0;
  const views = orders.map((order) => shop.view(order).then(() => (shown += 1)));
  await until(() => shown === 8 && held.length === 4);
  release();
  await Promise.all(views);
  expect(held).toHaveLength(4);
});

it('an order that is paid is granted once, and all simultaneous requests are answered so', async () => {
  const order = await shop.paid();
  const stored = await shop.order(order);
  const asked = Array.from({ length: 4 }, (_, replica) =>
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
  await shop.comeBack(order);
  expect(await answered()).toBe('2026-03-01T12:00:00.000Z');
  shop.standIn.payments.pay(order.sessionId, 'card');
  await at(1);
  await shop.comeBack(order);
  await at(2);
  await shop.refresh(order);
  expect(await answered()).toBe('2026-03-01T12:02:00.000Z');
});
