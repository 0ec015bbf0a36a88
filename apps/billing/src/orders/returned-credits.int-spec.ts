import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { useShop } from './shop.fixture.js';

const shop = useShop();

describe('a refund', () => {
  it('takes the share of the credits that it is of what was paid, one adjustment for each part', async () => {
    const order = await shop.paid('card', { taxPercent: 19 });
    await shop.deliverAll();
    await shop.refund(order, 8_866);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 8_866, creditsTakenBack: 250 });
    await shop.refund(order);
    expect(await shop.comeBack(order)).toMatchObject({
      state: 'granted',
      price_cents: 14_900,
      paid: { subtotal_cents: 14_900, discount_cents: 0, tax_cents: 2_831, total_cents: 17_731 },
      returned_cents: 17_731,
      credits_taken_back: 500,
      credits_not_recovered: 0,
    });
    expect(await shop.adjustments(order.accountId)).toEqual([
      { credits: -250, reference: `refund:${order.orderId}:1` },
      { credits: -250, reference: `refund:${order.orderId}:2` },
    ]);
  });

  it('takes only from the lot of its own order', async () => {
    const order = await shop.granted();
    const customer = await shop.customerOf(order);
    const { id } = await customer.charge(shop.ledger.replicas[0], 450);
    await customer.settle(shop.ledger.replicas[1], id, 'posted');
    await shop.ledger.factory.lot({ accountId: order.accountId, credits: 1_000 });
    await shop.refund(order, 7_450);
    expect(await shop.ledger.balance(order.accountId)).toBe(1_000);
    expect(await shop.order(order)).toMatchObject({ creditsTakenBack: 50, creditsNotRecovered: 200 });
  });
});

it('a dispute in another currency is one of the whole payment, until it is won; operators are notified once', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const order = await shop.granted();
  const { id } = shop.standIn.returns.dispute(order.intentId);
  Object.assign(shop.standIn.records.dispute(id), { amount: 13_700, currency: 'eur' });
  expect(await shop.refresh(order)).toMatchObject({ returnedCents: 14_900, creditsTakenBack: 500 });
  await shop.refresh(order);
  const warning = `Order ${order.orderId} of account ${order.accountId}: a dispute in eur cannot be compared`;
  expect(warned.mock.calls).toEqual([[expect.stringContaining(warning)]]);
  shop.standIn.returns.closeDispute(id, 'won');
  expect(await shop.refresh(order)).toMatchObject({ returnedCents: 0, creditsTakenBack: 0 });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
});

describe('while refunds and disputes cannot be read', () => {
  const logged: string[] = [];

  beforeEach(() => {
    logged.length = 0;
    const note = (message: unknown) => void logged.push(String(message));
    jest.spyOn(Logger.prototype, 'error').mockImplementation(note);
  });

  async function unread(): Promise<object[]> {
    const metric = await register.getSingleMetric('creator_search_payment_returns_unread_total')?.get();
    return (metric?.values ?? []).filter(({ value }) => value > 0).map(({ labels }) => labels);
  }

  it('because the key may not read disputes, a paid order is granted, the permission is named, and later answers count', async () => {
    shop.standIn.permissions.restrict({ disputes: 'none' });
    const order = await shop.granted();
    expect(await shop.order(order)).toMatchObject({
      state: 'granted',
      returnsPending: true,
      returnedCents: 0,
    });
    expect(logged).toEqual([
      expect.stringMatching(
        /has to be allowed Disputes: Read\. While it does, disputes take no credits back\.$/,
      ),
    ]);
    expect(await unread()).toContainEqual({ kind: 'disputes', reason: 'permission' });
    // What can be read counts.
    shop.standIn.returns.refund(order.intentId, 2_980);
    await shop.refresh(order, 'reconciliation');
    expect(await shop.order(order)).toMatchObject({ returnsPending: true, creditsTakenBack: 100 });
    shop.standIn.permissions.restrict({});
    await shop.refresh(order, 'reconciliation');
    expect(await shop.order(order)).toMatchObject({ returnsPending: false, returnedCents: 2_980 });
  });

  it('because the key may read sessions only, a paid order is granted', async () => {
    shop.standIn.permissions.restrict({ payment_intents: 'none', charges: 'none', disputes: 'none' });
    const order = await shop.paid();
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', receipt_url: null });
    const paymentIntentId = shop.intentOf(order);
    expect(await shop.order(order)).toMatchObject({ returnsPending: true, paymentIntentId });
  });

  it('what went back stays as it is known', async () => {
    const order = await shop.granted();
    await shop.refund(order, 7_450);
    shop.standIn.failures.add({ kind: '500', operation: 'list_refunds' });
    await shop.refresh(order, 'reconciliation');
    expect(await unread()).toContainEqual({ kind: 'refunds', reason: 'failure' });
    const known = { returnedCents: 7_450, creditsTakenBack: 250 };
    expect(await shop.order(order)).toMatchObject({ ...known, returnsPending: true });
    shop.standIn.failures.clear();
    await shop.refresh(order, 'reconciliation');
    expect(await shop.order(order)).toMatchObject({ ...known, returnsPending: false });
  });
});
