import { v7 as uuidv7 } from 'uuid';
import { type Shop, type Started, useShop } from './shop.fixture.js';
import { OrdersService } from './orders.service.js';

const shop = useShop();
const start = Date.parse('2026-03-01T12:00:00Z');
const hourMs = 3_600_000;
const at = (shop: Shop, hours: number): Promise<void> =>
  shop.ledger.factory.setClock(new Date(start + hours * hourMs));
const reconcile = (shop: Shop, replica = 0): Promise<void> => shop.reconcile(replica);

async function openShop(): Promise<Shop> {
  await at(shop, 0);
  return shop;
}

/** How often Stripe is asked for a session, from now on. */
function countQuestions(shop: Shop): () => number {
  let questions = 0;
  shop.standIn.intercept((call, run) => {
    if (call.method === 'GET' && call.path.startsWith('/v1/checkout/sessions/')) questions += 1;
    return run();
  });
  return () => questions;
}

describe('without a single webhook', () => {
  it('what was paid is granted within an hour', async () => {
    const shop = await openShop();
    const [paid, unpaid, expired, delayed] = await Promise.all(
      Array.from({ length: 4 }, async () => shop.started()),
    );
    shop.standIn.payments.pay(paid?.sessionId ?? '', 'card');
    shop.standIn.payments.expire(expired?.sessionId ?? '');
    shop.standIn.payments.pay(delayed?.sessionId ?? '', 'delayed');
    await at(shop, 1);
    await reconcile(shop);
    const states = async () => {
      const rows = await shop.ledger.query<{ id: string; state: string }>('SELECT id, state FROM orders');
      const of = new Map(rows.map(({ id, state }) => [id, state]));
      return [paid, unpaid, expired, delayed].map((order) => of.get(order?.orderId ?? ''));
    };
    expect(await states()).toEqual(['granted', 'open', 'expired', 'processing']);
    shop.standIn.payments.settle(delayed?.sessionId ?? '', 'succeeded');
    await at(shop, 2);
    await reconcile(shop, 1);
    expect(await states()).toEqual(['granted', 'open', 'expired', 'granted']);
    expect(await shop.ledger.balance(paid?.accountId ?? '')).toBe(500);
  });

  it('an unpaid order has expired once Stripe says so, and one that Stripe does not know is never called unpaid', async () => {
    const shop = await openShop();
    const accountId = await shop.ledger.factory.account();
    const [abandoned, forgotten] = [await shop.start(accountId), await shop.start(accountId)];
    shop.standIn.records.sessions.delete(forgotten.sessionId);
    const expiresAt = new Date(start + 24 * hourMs);
    await shop.ledger.query('UPDATE orders SET checkout_expires_at = $1', [expiresAt]);
    const listed = async () => {
      const { items } = await shop.replicas[0].get(OrdersService).list({ account_id: accountId, limit: 10 });
      return [abandoned, forgotten].map(({ orderId }) => {
        const order = items.find(({ id }) => id === orderId);
        return `${order?.state}, ${order?.is_checked ? 'checked' : 'not checked'}`;
      });
    };
    await at(shop, 23);
    await reconcile(shop);
    expect(await listed()).toEqual(['open, checked', 'open, not checked']);
    const session = shop.standIn.records.session(abandoned.sessionId);
    session.expires_at = Math.floor(Date.now() / 1_000) - 1;
    await at(shop, 24);
    await reconcile(shop);
    expect(await listed()).toEqual(['expired, checked', 'open, not checked']);
    // It may be that the wrong key was set: the order goes on being asked about.
    expect(await shop.order(forgotten)).toMatchObject({ state: 'open' });
  });

  it('Stripe is asked only about changes without an event', async () => {
    const shop = await openShop();
    const order = await shop.granted();
    await shop.granted();
    await shop.deliverAll();
    shop.standIn.returns.refund(order.intentId, 2_980);
    const questions = countQuestions(shop);
    await reconcile(shop);
    expect(questions()).toBe(1);
    await reconcile(shop);
    // The events of the refund.
    expect(questions()).toBe(2);
    await reconcile(shop);
    expect(questions()).toBe(2);
  });
});

describe('an unpaid order', () => {
  it('is asked about once an hour, however many replicas there are', async () => {
    const shop = await openShop();
    for (let count = 0; count < 12; count++) await shop.started();
    const questions = countQuestions(shop);
    await reconcile(shop);
    expect(questions()).toBe(0);
    await at(shop, 1);
    await Promise.all([reconcile(shop, 0), reconcile(shop, 1)]);
    expect(questions()).toBe(12);
    await reconcile(shop);
    expect(questions()).toBe(12);
    await at(shop, 2);
    await reconcile(shop);
    expect(questions()).toBe(24);
  });

  it('is granted however late it is found, when no event ever came', async () => {
    const shop = await openShop();
    const order = await shop.started();
    shop.standIn.payments.pay(order.sessionId, 'delayed');
    shop.standIn.payments.settle(order.sessionId, 'succeeded');
    await at(shop, 400 * 24);
    await reconcile(shop);
    expect(await shop.order(order)).toMatchObject({ state: 'granted' });
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
  });

  it('is asked about once an hour for 35 days, then once a day until Stripe says how it ended', async () => {
    const shop = await openShop();
    const order = await shop.started();
    const questions = countQuestions(shop);
    const lastHour = 35 * 24 - 1;
    const expected = [
      [lastHour - 1, 1],
      [lastHour, 2],
      [lastHour + 1, 2],
      [lastHour + 23, 2],
      [lastHour + 24, 3],
      [lastHour + 47, 3],
      [lastHour + 48, 4],
    ] as const;
    for (const [hours, asked] of expected) {
      await at(shop, hours);
      await reconcile(shop);
      expect([hours, questions()]).toEqual([hours, asked]);
    }
    shop.standIn.payments.expire(order.sessionId);
    for (const days of [60, 61, 62]) {
      await at(shop, days * 24);
      await reconcile(shop);
    }
    // And once because the list of events names it.
    expect(questions()).toBe(6);
    expect(await shop.order(order)).toMatchObject({ state: 'expired' });
  });

  it('that never got a session expires a day later', async () => {
    const shop = await openShop();
    const accountId = await shop.ledger.factory.account();
    const orderId = uuidv7();
    shop.standIn.intercept(() => Promise.reject(new Error('the connection breaks')));
    await expect(shop.ask(accountId, { orderId })).rejects.toThrow();
    shop.standIn.intercept();
    await at(shop, 23);
    await reconcile(shop);
    expect(await shop.order({ orderId })).toMatchObject({ state: 'open' });
    await at(shop, 24);
    await reconcile(shop);
    expect(await shop.order({ orderId })).toMatchObject({ state: 'expired' });
  });

  it('that Stripe does not know does not keep the others from being asked about', async () => {
    const shop = await openShop();
    const [lost, paid] = await Promise.all(Array.from({ length: 2 }, async () => shop.started()));
    shop.standIn.records.sessions.delete(lost?.sessionId ?? '');
    shop.standIn.payments.pay(paid?.sessionId ?? '', 'card');
    await at(shop, 1);
    await reconcile(shop);
    expect(await shop.ledger.balance(paid?.accountId ?? '')).toBe(500);
  });
});

describe('an order whose refunds could not be read', () => {
  it('is asked about each hour, until they can be', async () => {
    const shop = await openShop();
    const orders: (Started & { readonly intentId: string })[] = [];
    for (let count = 0; count < 12; count += 1) orders.push(await shop.granted());
    await shop.deliverAll();
    await reconcile(shop);
    for (const { intentId } of orders) shop.standIn.returns.refund(intentId);
    shop.standIn.records.events.clear();
    await shop.ledger.query('UPDATE orders SET returns_pending = true');
    const questions = countQuestions(shop);
    await reconcile(shop);
    expect(questions()).toBe(0);
    await at(shop, 1);
    await Promise.all([reconcile(shop, 0), reconcile(shop, 1)]);
    expect(questions()).toBe(12);
    for (const { accountId } of orders) expect(await shop.ledger.balance(accountId)).toBe(0);
  });
});

it('one order about which Stripe fails keeps no other one from being asked about', async () => {
  const shop = await openShop();
  const orders: Started[] = [];
  for (let count = 0; count < 12; count += 1) {
    const order = await shop.started();
    shop.standIn.payments.pay(order.sessionId, 'card');
    orders.push(order);
  }
  const refunded = await shop.granted();
  shop.standIn.returns.refund(refunded.intentId);
  const [poisoned, ...others] = orders;
  shop.standIn.intercept(({ path }, run) =>
    path.includes(poisoned?.sessionId ?? '') ? Promise.reject(new Error('the connection breaks')) : run(),
  );
  await at(shop, 1);
  await reconcile(shop);
  for (const { accountId } of others) expect(await shop.ledger.balance(accountId)).toBe(500);
  expect(await shop.ledger.balance(refunded.accountId)).toBe(0);
});

it('while Stripe is away nothing changes, and the next reconciliation finds it all', async () => {
  const shop = await openShop();
  const order = await shop.granted();
  shop.standIn.returns.refund(order.intentId);
  shop.standIn.intercept(() => Promise.reject(new Error('the connection breaks')));
  await reconcile(shop);
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
  shop.standIn.intercept();
  await reconcile(shop);
  expect(await shop.ledger.balance(order.accountId)).toBe(0);
});
