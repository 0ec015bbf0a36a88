import { refreshOrder, startOrder } from '@app/contracts';
import { type Failure } from '@app/stripe-stand-in';
import { Logger } from '@nestjs/common';
import { composeBilling } from '../composed-billing.fixture.js';
import { defaultLedgerOptions } from '../ledger/rules/ledger-options.js';
import { OrdersService } from './orders.service.js';
import { type Shop, type Started, useShop } from './shop.fixture.js';

// A request to Stripe is given up after five seconds.
jest.setTimeout(30_000);

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
    ['is down', ({ standIn }) => standIn.failures.add({ kind: 'break' })],
    ['fails', ({ standIn }) => standIn.failures.add({ kind: '500' })],
    ['has too many requests', ({ standIn }) => standIn.failures.add({ kind: '429' })],
    ['does not know the key', ({ standIn }) => standIn.failures.add({ kind: '401' })],
    [
      'shows the key no sessions',
      ({ standIn }) => standIn.permissions.restrict({ checkout_sessions: 'none' }),
    ],
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

describe('while Stripe takes requests and answers none', () => {
  const hangs: Failure = { kind: 'time out' };

  it('a view answers in time, and frees its place', async () => {
    await shop.at(0);
    const accountId = await shop.ledger.factory.account();
    const orders: Started[] = [];
    for (let count = 0; count < 5; count += 1) orders.push(await shop.start(accountId));
    const [last, ...first] = orders;
    await shop.at(3_600_000);
    shop.standIn.failures.add(hangs);
    const begun = performance.now();
    const views = await Promise.all(first.map((order) => shop.view(order)));
    expect(performance.now() - begun).toBeLessThan(refreshOrder.deadlineMs - 1_000);
    expect(views).toEqual(first.map(() => expect.objectContaining(unknown) as unknown));
    shop.standIn.failures.clear();
    expect(last && (await shop.view(last))).toMatchObject({ state: 'open', is_checked: true });
  });

  it('an order that is paid is granted in time, although its refunds and disputes are not known', async () => {
    const { order } = await started();
    shop.standIn.payments.pay(order.sessionId, 'card');
    for (const operation of ['list_refunds', 'list_disputes'] as const) {
      shop.standIn.failures.add({ ...hangs, operation });
    }
    const begun = performance.now();
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted' });
    expect(performance.now() - begun).toBeLessThan(refreshOrder.deadlineMs - 1_000);
    expect(await shop.order(order)).toMatchObject({ returnsPending: true });
  });

  it.each(['new', 'started before'])('a start answers in time, of an order that is %s', async (which) => {
    const { order, orderUrl } = await started();
    shop.standIn.failures.add(hangs);
    const begun = performance.now();
    const asked = shop.ask(order.accountId, which === 'new' ? {} : order);
    if (which === 'new') await expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    else expect(await asked).toMatchObject({ checkout_url: orderUrl });
    expect(performance.now() - begun).toBeLessThan(startOrder.deadlineMs - 1_000);
  });
});
