import { Logger } from '@nestjs/common';
import { useShop } from './shop.fixture.js';

const shop = useShop();

async function cursorOf(): Promise<unknown> {
  const [row] = await shop.ledger.query('SELECT read_until FROM reconciliation_cursor');
  return row;
}

describe('the list of events of Stripe', () => {
  it('is read from where it was read last: what was refunded long ago is not listed again', async () => {
    const order = await shop.granted();
    // Payments of others in the same account of Stripe.
    const { records } = shop.standIn;
    const refund = shop.standIn.returns.refund((await shop.granted()).intentId);
    for (let count = 0; count < 300; count += 1) {
      const id = `re_other_${count}`;
      records.refunds.set(id, { ...refund, id, payment_intent: `pi_other_${count}` });
    }
    const requests = shop.countRequests();
    await shop.reconcile();
    // All of them, once: three pages and one.
    expect(requests('/v1/refunds')).toBeGreaterThan(3);
    await shop.deliverAll();
    for (const replica of [0, 1, 0]) {
      const before = requests();
      await shop.reconcile(replica);
      expect(requests() - before).toBe(1);
    }
    shop.standIn.returns.refund(order.intentId);
    const before = requests();
    await shop.reconcile();
    // The list of events, and the question about the one order: its session, its refunds and disputes.
    expect(requests() - before).toBeLessThanOrEqual(4);
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });

  it('is read until now by the clock of the database', async () => {
    const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000);
    await shop.ledger.factory.setClock(at);
    await shop.reconcile();
    expect(await cursorOf()).toEqual({ read_until: at });
  });

  it('is read to its end, page by page, before it counts as read', async () => {
    const [order, other] = [await shop.granted(), await shop.granted()];
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    shop.standIn.returns.refund(other.intentId);
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
    await shop.reconcile();
    expect(await cursorOf()).not.toEqual(cursor);
    for (const { accountId } of [order, other]) expect(await shop.ledger.balance(accountId)).toBe(0);
  });

  it('may contain events late, from before it was read', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    const late = Math.floor(Date.now() / 1_000) - 9 * 60;
    for (const event of shop.events) Object.assign(event, { created: late });
    await shop.reconcile();
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });

  it.each([
    ['was read 25 days ago', `read_until = now() - interval '25 days'`],
    ['was read with another key', `key_hash = 'other'`],
  ])('is not enough when it %s: all refunds and disputes are compared', async (_what, change) => {
    const order = await shop.granted();
    await shop.reconcile();
    shop.standIn.returns.refund(order.intentId);
    // Stripe no longer lists them.
    shop.standIn.records.events.clear();
    await shop.reconcile();
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
    await shop.ledger.query(`UPDATE reconciliation_cursor SET ${change}`);
    await shop.reconcile();
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
    const requests = shop.countRequests();
    await shop.reconcile();
    expect(requests()).toBe(1);
  });

  it('that the key may not read is said so, and all refunds and disputes are compared instead', async () => {
    const order = await shop.granted();
    await shop.reconcile();
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    shop.standIn.permissions.restrict({ events: 'none' });
    shop.standIn.returns.refund(order.intentId);
    await shop.reconcile();
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
    expect(logged.mock.calls.map(([text]: unknown[]) => String(text))).toEqual([
      expect.stringMatching(
        /has to be allowed Events: Read\. While it does, every reconciliation compares all/,
      ),
    ]);
    logged.mockRestore();
  });

  it('counts each event once, also an old one that was delivered before', async () => {
    const order = await shop.granted();
    const { id } = shop.standIn.returns.dispute(order.intentId);
    await shop.deliverAll();
    shop.standIn.returns.closeDispute(id, 'won');
    await shop.deliverAll();
    await shop.reconcile();
    // Delivered events are forgotten after 30 days, and found again.
    await shop.ledger.query('DELETE FROM payment_events');
    await shop.reconcile();
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
    expect((await shop.adjustments(order.accountId)).map(({ credits }) => credits)).toEqual([-500, 500]);
  });
});
