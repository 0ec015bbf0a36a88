import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { useShop } from './shop.fixture.js';

const shop = useShop();
const logged: string[] = [];

beforeEach(() => {
  logged.length = 0;
  jest
    .spyOn(Logger.prototype, 'error')
    .mockImplementation((message: unknown) => void logged.push(String(message)));
});

async function unread(): Promise<object[]> {
  const metric = await register.getSingleMetric('creator_search_payment_returns_unread_total')?.get();
  return (metric?.values ?? []).filter(({ value }) => value > 0).map(({ labels }) => labels);
}

describe('a paid order is granted all the same', () => {
  it('when the key may not read disputes: the permission is named, and later answers count', async () => {
    const order = await shop.started();
    shop.standIn.permissions.restrict({ disputes: 'none' });
    shop.standIn.payments.pay(order.sessionId, 'card');
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted' });
    expect(await shop.order(order)).toMatchObject({ returnsPending: true, returnedCents: 0 });
    expect(logged).toEqual([
      expect.stringMatching(
        /has to be allowed Disputes: Read\. While it does, disputes take no credits back\.$/,
      ),
    ]);
    expect(await unread()).toContainEqual({ kind: 'disputes', reason: 'permission' });
    // What can be read counts.
    shop.standIn.returns.refund(shop.intentOf(order), 2_980);
    await shop.refresh(order, 'reconciliation');
    expect(await shop.order(order)).toMatchObject({ returnsPending: true, creditsTakenBack: 100 });
    shop.standIn.permissions.restrict({});
    await shop.refresh(order, 'reconciliation');
    expect(await shop.order(order)).toMatchObject({ returnsPending: false, returnedCents: 2_980 });
  });

  it('when the key may read sessions only', async () => {
    const order = await shop.started();
    shop.standIn.permissions.restrict({ payment_intents: 'none', charges: 'none', disputes: 'none' });
    shop.standIn.payments.pay(order.sessionId, 'card');
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted', receipt_url: null });
    expect(await shop.order(order)).toMatchObject({
      returnsPending: true,
      paymentIntentId: shop.intentOf(order),
    });
  });

  it.each(['list_refunds', 'list_disputes'] as const)('when %s fails', async (operation) => {
    const order = await shop.started();
    shop.standIn.failures.add({ kind: '500', operation });
    shop.standIn.payments.pay(order.sessionId, 'card');
    expect(await shop.comeBack(order)).toMatchObject({ state: 'granted' });
    expect(await shop.order(order)).toMatchObject({ returnsPending: true });
    expect(await unread()).toContainEqual({ kind: operation.replace('list_', ''), reason: 'failure' });
  });
});

it('what went back stays as it is known while it cannot be read', async () => {
  const order = await shop.granted();
  await shop.refund(order, 7_450);
  shop.standIn.permissions.restrict({ charges: 'none' });
  await shop.refresh(order, 'reconciliation');
  const known = { returnedCents: 7_450, creditsTakenBack: 250 };
  expect(await shop.order(order)).toMatchObject({ ...known, returnsPending: true });
  shop.standIn.permissions.restrict({});
  await shop.refresh(order, 'reconciliation');
  expect(await shop.order(order)).toMatchObject({ ...known, returnsPending: false });
});
