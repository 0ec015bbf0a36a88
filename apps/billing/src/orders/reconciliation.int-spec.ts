import { Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { hourMs } from '../durations.js';
import { times } from '../ledger/ledger.fixture.js';
import { useShop } from './shop.fixture.js';

const shop = useShop();
const at = (hours: number): Promise<void> => shop.at(hours * hourMs);
const balance = ({ accountId }: { accountId: string }) => shop.ledger.balance(accountId);

describe('without a webhook, an order', () => {
  beforeEach(() => at(0));

  it('that is unpaid is asked about once an hour, however many replicas there are', async () => {
    for (let count = 0; count < 12; count++) await shop.started();
    const questions = shop.countQuestions();
    await shop.reconcile();
    expect(questions()).toBe(0);
    await at(1);
    await Promise.all([shop.reconcile(0), shop.reconcile(1)]);
    await shop.reconcile();
    expect(questions()).toBe(12);
    await at(2);
    await shop.reconcile();
    expect(questions()).toBe(24);
  });

  it('that never got a session expires a day later', async () => {
    const orderId = uuidv7();
    shop.disconnect();
    await expect(shop.ask(await shop.ledger.factory.account(), { orderId })).rejects.toThrow();
    shop.reconnect();
    for (const [hours, state] of [[23, 'open'] as const, [24, 'expired'] as const]) {
      await at(hours);
      await shop.reconcile();
      expect(await shop.order({ orderId })).toMatchObject({ state });
    }
  });

  it('about which Stripe fails keeps no other one from being asked about', async () => {
    const poisoned = await shop.paid();
    const others = await Promise.all(times(11, () => shop.paid()));
    shop.disconnect(poisoned.sessionId);
    await at(1);
    await shop.reconcile();
    for (const order of others) expect(await balance(order)).toBe(500);
  });
});

describe('the list of events of Stripe', () => {
  async function cursorOf(): Promise<unknown> {
    const [row] = await shop.ledger.query('SELECT read_until FROM reconciliation_cursor');
    return row;
  }

  it('is read from where it was read last: one request, and one more about an order that it names', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    await shop.deliverAll();
    const requests = shop.countRequests();
    for (const replica of [0, 1, 0]) await shop.reconcile(replica);
    expect(requests()).toBe(3);
    shop.standIn.returns.refund(order.intentId);
    await shop.reconcile();
    // The list of events, and the question about the one order: its session, its refunds and disputes.
    expect(requests()).toBeLessThanOrEqual(7);
    expect(await balance(order)).toBe(0);
  });

  it('is read to its end, page by page, before it counts as read until now by the clock of the database', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    // The first page is full of newer events.
    const [event] = shop.events.slice(-1);
    if (!event) throw new Error('there is no event');
    for (let count = 0; count < 100; count += 1) {
      const id = `evt_${count}`;
      shop.standIn.records.events.set(id, { ...event, id });
    }
    const cursor = await cursorOf();
    let pages = 0;
    shop.standIn.intercept(({ path }, run) =>
      path === '/v1/events' && ++pages > 1 ? Promise.reject(new Error('the connection breaks')) : run(),
    );
    await shop.reconcile();
    expect(pages).toBeGreaterThan(1);
    expect(await cursorOf()).toEqual(cursor);
    shop.reconnect();
    const now = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 60_000);
    await shop.ledger.factory.setClock(now);
    await shop.reconcile();
    expect(await cursorOf()).toEqual({ read_until: now });
    expect(await balance(order)).toBe(0);
  });

  it('may contain events late, from before it was read', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    const late = Math.floor(Date.now() / 1_000) - 9 * 60;
    for (const event of shop.events) Object.assign(event, { created: late });
    await shop.reconcile();
    expect(await balance(order)).toBe(0);
  });

  it.each([
    ['was read 25 days ago', `read_until = now() - interval '25 days'`],
    ['was read with another key', `key_hash = 'other'`],
  ])('is not enough when it %s: all paid orders are asked about, once', async (_what, change) => {
    const order = await shop.granted();
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    // Stripe no longer lists them.
    shop.standIn.records.events.clear();
    await shop.reconcile();
    expect(await balance(order)).toBe(500);
    await shop.ledger.query(`UPDATE reconciliation_cursor SET ${change}`);
    await shop.reconcile();
    expect(await balance(order)).toBe(0);
    const requests = shop.countRequests();
    await shop.reconcile();
    expect(requests()).toBe(1);
  });

  it('that the key may not read is logged, and is read once it may', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    shop.standIn.permissions.restrict({ events: 'none' });
    shop.standIn.returns.refund(order.intentId);
    await shop.reconcile();
    expect(String(logged.mock.calls)).toContain('has to be allowed Events: Read');
    logged.mockRestore();
    shop.standIn.permissions.restrict({});
    await shop.reconcile();
    expect(await balance(order)).toBe(0);
  });
});
