import { useShop } from './shop.fixture.js';

const shop = useShop();

describe('a refund', () => {
  it('is one adjustment of its order for each part of the money', async () => {
    const order = await shop.granted();
    for (const cents of [2_980, 11_920]) {
      shop.standIn.returns.refund(order.intentId, cents);
      await shop.deliverAll();
    }
    expect(await shop.comeBack(order)).toMatchObject({
      state: 'granted',
      returned_cents: 14_900,
      credits_taken_back: 500,
      credits_not_recovered: 0,
    });
    expect(await shop.adjustments(order.accountId)).toEqual([
      { credits: -100, reference: `refund:${order.orderId}:1` },
      { credits: -400, reference: `refund:${order.orderId}:2` },
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
