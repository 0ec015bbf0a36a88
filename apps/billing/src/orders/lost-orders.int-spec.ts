import { Logger } from '@nestjs/common';
import { type Started, useShop } from './shop.fixture.js';

const shop = useShop();
let logged: string[];

beforeEach(() => {
  logged = [];
  const warn = (message: unknown) => void logged.push(String(message));
  Logger.overrideLogger({ log: () => undefined, warn, error: () => undefined });
});
afterAll(() => {
  Logger.overrideLogger(false);
});

/** An order that was paid at Stripe, after the instant that the database was restored to. */
async function lost(): Promise<Started> {
  await shop.reconcile();
  const order = await shop.paid();
  await shop.ledger.query('DELETE FROM orders WHERE id = $1', [order.orderId]);
  return order;
}

const builderLot = ({ orderId }: Started) => ({
  credits: 500,
  remaining: 500,
  reference: `stripe:${orderId}`,
});

describe('a paid order that the restored database does not know', () => {
  it('is found by the reconciliation, shown to its buyer and granted once, whoever else finds it', async () => {
    const order = await lost();
    await Promise.all([shop.reconcile(0), shop.reconcile(1)]);
    await shop.deliverAll();
    expect(await shop.lots(order.accountId)).toEqual([builderLot(order)]);
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', pack: 'builder', credits: 500 });
    expect(logged).toEqual([expect.stringContaining(`Order ${order.orderId} of account ${order.accountId}`)]);
  });

  it('is granted by an event that Stripe sends again, also when it is one of its refund', async () => {
    const order = await lost();
    shop.standIn.returns.refund(shop.intentOf(order), 7_450);
    const refunded = shop.events.findLast(({ type }) => type === 'charge.refunded');
    await shop.deliver(refunded ?? {});
    expect(await shop.lots(order.accountId)).toEqual([{ ...builderLot(order), remaining: 250 }]);
  });

  it('is in review if another price was paid than the session was made for', async () => {
    const order = await lost();
    Object.assign(shop.standIn.records.session(order.sessionId), { amount_subtotal: 1, amount_total: 1 });
    await shop.reconcile();
    expect(await shop.order(order)).toMatchObject({ state: 'in_review', priceCents: 14_900 });
    expect(await shop.lots(order.accountId)).toEqual([]);
  });

  it('is only logged when its account is not there either', async () => {
    const order = await lost();
    const { accountId } = order;
    await shop.ledger.query('DELETE FROM accounts WHERE id = $1', [accountId]);
    await shop.reconcile();
    expect(logged).toEqual([
      `Session ${order.sessionId} is for order ${order.orderId} of account ${accountId}, which does not exist here.`,
    ]);
    expect(await shop.ledger.query('SELECT FROM orders')).toEqual([]);
  });

  it.each(['person_id', 'pack', 'credits', 'price_cents'])(
    'is not made up when its session has no valid %s',
    async (name) => {
      const order = await lost();
      const { metadata } = shop.standIn.records.session(order.sessionId);
      Object.assign(metadata ?? {}, { [name]: '-1' });
      await shop.reconcile();
      expect(await shop.ledger.query('SELECT FROM orders')).toEqual([]);
      expect(new Set((await shop.inbox()).map(({ state }) => state))).toEqual(new Set(['ignored']));
    },
  );
});
