import { Logger } from '@nestjs/common';
import { useShop } from './shop.fixture.js';

const shop = useShop();

describe('an order that is paid with tax', () => {
  it('is granted, keeps what was paid, and gives back the share that is refunded', async () => {
    const order = await shop.paid('card', { taxPercent: 19 });
    expect(await shop.comeBack(order)).toMatchObject({
      state: 'granted',
      price_cents: 14_900,
      paid: { subtotal_cents: 14_900, discount_cents: 0, tax_cents: 2_831, total_cents: 17_731 },
    });
    await shop.refund(order, 8_866);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 8_866, creditsTakenBack: 250 });
    await shop.refund(order);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 17_731, creditsTakenBack: 500 });
    expect(await shop.ledger.balance(order.accountId)).toBe(0);
  });
});

describe('an order that is paid with a discount', () => {
  it('is granted whole, and half of what was paid is half of the credits', async () => {
    const order = await shop.paid('card', { discountPercent: 50 });
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', paid: { total_cents: 7_450 } });
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
    await shop.refund(order, 3_725);
    expect(await shop.order(order)).toMatchObject({ returnedCents: 3_725, creditsTakenBack: 250 });
  });

  it('of everything is granted, although there is no payment', async () => {
    const order = await shop.paid('card', { discountPercent: 100 });
    expect(await shop.comeBack(order)).toMatchObject({
      state: 'granted',
      paid: { subtotal_cents: 14_900, discount_cents: 14_900, total_cents: 0 },
      receipt_url: null,
    });
    await shop.deliverAll();
    const nothing = { returnedCents: 0, creditsTakenBack: 0, paymentIntentId: null, returnsPending: false };
    expect(await shop.order(order)).toMatchObject(nothing);
    expect(await shop.ledger.balance(order.accountId)).toBe(500);
  });
});

it('a dispute in another currency is one of the whole payment, until it is won; operators are notified once', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const order = await shop.granted();
  const { id } = shop.standIn.returns.dispute(order.intentId);
  Object.assign(shop.standIn.records.dispute(id), { amount: 13_700, currency: 'eur' });
  expect(await shop.refresh(order)).toMatchObject({ returnedCents: 14_900, creditsTakenBack: 500 });
  await shop.refresh(order);
  const warning = `Order ${order.orderId} of account ${order.accountId}: a dispute in eur can not be compared`;
  expect(warned.mock.calls).toEqual([[expect.stringContaining(warning)]]);
  shop.standIn.returns.closeDispute(id, 'won');
  expect(await shop.refresh(order)).toMatchObject({ returnedCents: 0, creditsTakenBack: 0 });
  expect(await shop.ledger.balance(order.accountId)).toBe(500);
});
