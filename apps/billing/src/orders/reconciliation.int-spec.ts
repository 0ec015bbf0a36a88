import { v7 as uuidv7 } from 'uuid';
import { times } from '../ledger/ledger.fixture.js';
import { useShop } from './shop.fixture.js';
import { OrdersService } from './orders.service.js';

const shop = useShop();
const hourMs = 3_600_000;
const at = (hours: number): Promise<void> => shop.at(hours * hourMs);
beforeEach(() => at(0));

describe('without a single webhook', () => {
  it('what was paid is granted within an hour', async () => {
    const [paid, unpaid, expired, delayed] = [
      await shop.paid(),
      await shop.started(),
      await shop.started(),
      await shop.paid('delayed'),
    ];
    shop.standIn.payments.expire(expired.sessionId);
    await at(1);
    await shop.reconcile();
    const states = async () => {
      const rows = await shop.ledger.query<{ id: string; state: string }>('SELECT id, state FROM orders');
      const of = new Map(rows.map(({ id, state }) => [id, state]));
      return [paid, unpaid, expired, delayed].map((order) => of.get(order.orderId));
    };
    expect(await states()).toEqual(['granted', 'open', 'expired', 'processing']);
    shop.standIn.payments.settle(delayed.sessionId, 'succeeded');
    await at(2);
    await shop.reconcile(1);
    expect(await states()).toEqual(['granted', 'open', 'expired', 'granted']);
    expect(await shop.ledger.balance(paid.accountId)).toBe(500);
  });

  it('an unpaid order has expired once Stripe says so, and one that Stripe does not know is never called unpaid', async () => {
    const accountId = await shop.ledger.factory.account();
    const [abandoned, forgotten] = [await shop.start(accountId), await shop.start(accountId)];
    shop.standIn.records.sessions.delete(forgotten.sessionId);
    const expiresAt = new Date(Date.UTC(2026, 2, 2, 12));
    await shop.ledger.query('UPDATE orders SET checkout_expires_at = $1', [expiresAt]);
    const listed = async () => {
      const { items } = await shop.replicas[0].get(OrdersService).list({ account_id: accountId, limit: 10 });
      return [abandoned, forgotten].map(({ orderId }) => {
        const order = items.find(({ id }) => id === orderId);
        return `${order?.state}, ${order?.is_checked ? 'checked' : 'not checked'}`;
      });
    };
    await at(23);
    await shop.reconcile();
    expect(await listed()).toEqual(['open, checked', 'open, not checked']);
    const session = shop.standIn.records.session(abandoned.sessionId);
    session.expires_at = Math.floor(Date.now() / 1_000) - 1;
    await at(24);
    await shop.reconcile();
    expect(await listed()).toEqual(['expired, checked', 'open, not checked']);
    // It may be that the wrong key was set: the order goes on being asked about.
    expect(await shop.order(forgotten)).toMatchObject({ state: 'open' });
  });

  it('Stripe is asked only about changes without an event', async () => {
    const order = await shop.granted();
    await shop.granted();
    await shop.deliverAll();
    shop.standIn.returns.refund(order.intentId, 2_980);
    const questions = shop.countQuestions();
    await shop.reconcile();
    expect(questions()).toBe(1);
    await shop.reconcile();
    // The events of the refund.
    expect(questions()).toBe(2);
    await shop.reconcile();
    expect(questions()).toBe(2);
  });
});

describe('an unpaid order', () => {
  it('is asked about once an hour, however many replicas there are', async () => {
    for (let count = 0; count < 12; count++) await shop.started();
    const questions = shop.countQuestions();
    await shop.reconcile();
    expect(questions()).toBe(0);
    await at(1);
    await Promise.all([shop.reconcile(0), shop.reconcile(1)]);
    expect(questions()).toBe(12);
    await shop.reconcile();
    expect(questions()).toBe(12);
    await at(2);
    await shop.reconcile();
    expect(questions()).toBe(24);
  });

  it('is granted however late it is found, when no event ever came', async () => {
    const order = await shop.paid('delayed');
    shop.standIn.payments.settle(order.sessionId, 'succeeded');
    await at(400 * 24);
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({ state: 'granted' });
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
  });

  it('is asked about once an hour for 35 days, then once a day until Stripe says how it ended', async () => {
    const order = await shop.started();
    const questions = shop.countQuestions();
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
      await at(hours);
      await shop.reconcile();
      expect([hours, questions()]).toEqual([hours, asked]);
    }
    shop.standIn.payments.expire(order.sessionId);
    for (const days of [60, 61, 62]) {
      await at(days * 24);
      await shop.reconcile();
    }
    // And once because the list of events names it.
    expect(questions()).toBe(6);
    expect(await shop.order(order)).toMatchObject({ state: 'expired' });
  });

  it('that never got a session expires a day later', async () => {
    const accountId = await shop.ledger.factory.account();
    const orderId = uuidv7();
    shop.disconnect();
    await expect(shop.ask(accountId, { orderId })).rejects.toThrow();
    shop.reconnect();
    await at(23);
    await shop.reconcile();
    expect(await shop.order({ orderId })).toMatchObject({ state: 'open' });
    await at(24);
    await shop.reconcile();
    expect(await shop.order({ orderId })).toMatchObject({ state: 'expired' });
  });
});

describe('an order whose refunds could not be read', () => {
  it('is asked about each hour, until they can be', async () => {
    const orders = await shop.grantedOrders(12);
    await shop.reconcile();
    for (const { intentId } of orders) shop.standIn.returns.refund(intentId);
    shop.standIn.records.events.clear();
    await shop.ledger.query('UPDATE orders SET returns_pending = true');
    const questions = shop.countQuestions();
    await shop.reconcile();
    expect(questions()).toBe(0);
    await at(1);
    await Promise.all([shop.reconcile(0), shop.reconcile(1)]);
    expect(questions()).toBe(12);
    for (const { accountId } of orders) expect(await shop.ledger.balance(accountId)).toBe(0);
  });
});

it('one order about which Stripe fails keeps no other one from being asked about', async () => {
  const poisoned = await shop.paid();
  const others = await Promise.all(times(11, () => shop.paid()));
  const refunded = await shop.granted();
  shop.standIn.returns.refund(refunded.intentId);
  shop.disconnect(poisoned.sessionId);
  await at(1);
  await shop.reconcile();
  for (const { accountId } of others) expect(await shop.ledger.balance(accountId)).toBe(500);
  expect(await shop.ledger.balance(refunded.accountId)).toBe(0);
});
