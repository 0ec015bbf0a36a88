import { refreshOrder, startOrder } from '#contracts';
import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { composeBilling } from '../composed-billing.fixture.js';
import { times } from '../ledger/ledger.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { OrdersService } from './orders.service.js';
import { type Shop, type Started, useShop } from './shop.fixture.js';

const shop = useShop();
const unknown = { state: 'open', is_checked: false };

jest.spyOn(Logger.prototype, 'error').mockReturnValue();
jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
afterAll(() => jest.restoreAllMocks());

/** An order that was started an hour ago. */
async function started(): Promise<{ order: Started; orderUrl: string }> {
  await shop.at(0);
  const order = await shop.started();
  await shop.at(3_600_000);
  return { order, orderUrl: `https://site.example/account/buy/${order.orderId}` };
}

describe('an order when Stripe cannot be asked', () => {
  it.each<[string, (shop: Shop) => void]>([
    ['has too many requests', ({ standIn }) => standIn.failures.add({ kind: '429' })],
    ['does not know the session', ({ standIn }) => standIn.records.sessions.clear()],
  ])('is not called unpaid, and not offered to be paid again, when Stripe %s', async (_what, fail) => {
    const { order, orderUrl } = await started();
    shop.standIn.payments.pay(order.sessionId, 'card');
    fail(shop);
    expect(await shop.comeBack(order)).toMatchObject(unknown);
    expect(await shop.ask(order.accountId, order)).toMatchObject({ order: unknown, checkout_url: orderUrl });
  });

  it('is not called unpaid by an answer that came before the one that is missing', async () => {
    const { order } = await started();
    await shop.at(7_200_000);
    expect(await shop.comeBack(order)).toMatchObject({ state: 'open', is_checked: true });
    shop.standIn.payments.pay(order.sessionId, 'card');
    shop.standIn.failures.add({ kind: '500' });
    await shop.at(7_200_000 + 10_000);
    expect(await shop.comeBack(order)).toMatchObject(unknown);
    shop.standIn.failures.clear();
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted' });
  });

  it('is not called expired when its time is over: that is for Stripe to say', async () => {
    const { order } = await started();
    await shop.at(30 * 3_600_000);
    shop.standIn.failures.add({ kind: '500' });
    expect(await shop.comeBack(order)).toMatchObject(unknown);
    shop.standIn.failures.clear();
    shop.standIn.payments.expire(order.sessionId);
    expect(await shop.comeBack(order)).toMatchObject({ state: 'expired', is_checked: true });
  });

  it('is unpaid when it has no page to pay on: it was never shown', async () => {
    const accountId = await shop.ledger.factory.account();
    shop.standIn.failures.add({ kind: '500' });
    await expect(shop.ask(accountId)).rejects.toMatchObject({ code: 'unavailable' });
    const { items } = await shop.replica(1).get(OrdersService).list({ account_id: accountId, limit: 1 });
    expect(items).toMatchObject([{ state: 'open', is_checked: true }]);
  });

  it('is not known when packs are no longer sold', async () => {
    const { order } = await started();
    const { dataSource, reports } = shop.ledger;
    const closed = await composeBilling({ dataSource, reports, options: defaultLedgerOptions });
    const { accountId: account_id, orderId: order_id } = order;
    expect(await closed.get(OrdersService).refresh({ account_id, order_id })).toMatchObject(unknown);
  });
});

it('an answer of Stripe holds for views that do not ask it, and not for long', async () => {
  const { order, orderUrl } = await started();
  const { checkout_url } = await shop.ask(order.accountId, order);
  expect(checkout_url).toBe(shop.sessions[0]?.url);
  shop.standIn.failures.add({ kind: '500' });
  // A view within ten seconds does not ask Stripe.
  await shop.at(3_600_000 + 9_999);
  expect(await shop.view(order)).toMatchObject({ state: 'open', is_checked: true });
  await shop.at(3_600_000 + 15_001);
  expect(await shop.view(order)).toMatchObject(unknown);
  expect(await shop.ask(order.accountId, order)).toMatchObject({ checkout_url: orderUrl });
});

/** The result of what took no longer than the gateway waits for it, and goes on. */
async function inTime<Result>(
  { deadlineMs }: { deadlineMs: number },
  work: Promise<Result>,
): Promise<Result> {
  const begun = performance.now();
  const result = await work;
  expect(performance.now() - begun).toBeLessThan(deadlineMs - 1_000);
  return result;
}

it('while Stripe takes requests and answers none, each view and start is answered in time, and frees its place', async () => {
  const { order: paid } = await started();
  shop.standIn.payments.pay(paid.sessionId, 'card');
  const { order: known, orderUrl } = await started();
  const viewed = await Promise.all(times(4, () => shop.started()));
  const { accountId } = known;
  const orderId = uuidv7();
  // What was paid is known, but not what went back of it.
  shop.standIn.intercept(({ path }, run) =>
    path.endsWith(paid.sessionId) ? run() : new Promise(() => undefined),
  );
  await Promise.all([
    ...viewed.map(async (order) =>
      expect(await inTime(refreshOrder, shop.comeBack(order))).toMatchObject(unknown),
    ),
    expect(inTime(refreshOrder, shop.comeBack(paid, 1))).resolves.toMatchObject({ state: 'granted' }),
    expect(inTime(startOrder, shop.ask(accountId, { ...known, replica: 1 }))).resolves.toMatchObject({
      checkout_url: orderUrl,
    }),
    expect(
      inTime(
        startOrder,
        shop.ask(accountId, { orderId }).catch((error: unknown) => error),
      ),
    ).resolves.toMatchObject({ code: 'unavailable' }),
  ]);
  expect(await shop.order(paid)).toMatchObject({ returnsPending: true });
  shop.reconnect();
  expect(await shop.comeBack(known)).toMatchObject({ state: 'open', is_checked: true });
  // A request without an answer is repeated under its key.
  expect(await shop.ask(accountId, { orderId })).toMatchObject({ order: { state: 'open' } });
  expect(await shop.order({ orderId })).toMatchObject({ checkoutAttempts: 1 });
}, 20_000);
