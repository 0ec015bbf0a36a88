import { Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { lotReference } from '../credits/references.js';
import { OrderDecisionsService } from './operators/order-decisions.service.js';
import { type Started, useShop } from './shop.fixture.js';

const shop = useShop();

const resolve = ({ orderId }: Started, resolution: 'granted' | 'refunded', replica = 0) =>
  shop.replica(replica).get(OrderDecisionsService).resolve({ order_id: orderId, resolution });
const closed = { code: 'conflict' };

describe('an order whose payment differs', () => {
  it('is in review, and says why once, however often it is asked about', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockReset();
    const started = await shop.underpaid();
    for (const replica of [0, 1, 0]) {
      await shop.refresh(started, 'event', replica);
    }
    expect(errors.mock.calls.filter(([line]) => String(line).includes('has to be looked at'))).toHaveLength(
      1,
    );
    expect(await shop.order(started)).toMatchObject({
      state: 'in_review',
      totalCents: 1_900,
      problem: `paid 1,900 cents in usd, ordered 14,900 in usd (session ${started.sessionId})`,
      problemSessions: [started.sessionId],
      problemAt: expect.any(Date) as Date,
      resolution: null,
      lotId: null,
    });
    expect(await shop.lots(started.accountId)).toEqual([]);
  });

  it('is granted once when an operator says so, with its receipt', async () => {
    const started = await shop.underpaid();
    await shop.deliverAll();
    const asked = Array.from({ length: 6 }, (_, replica) => resolve(started, 'granted', replica));
    for (const order of await Promise.all(asked)) expect(order).toMatchObject({ state: 'granted' });
    await shop.deliverAll();
    expect(await shop.order(started)).toMatchObject({ state: 'granted', resolution: 'granted' });
    expect(await shop.lots(started.accountId)).toEqual([
      { credits: 500, remaining: 500, reference: lotReference(started.orderId) },
    ]);
    await expect(resolve(started, 'refunded')).rejects.toMatchObject(closed);
  });

  it('is in the log of operators once, with who resolved it', async () => {
    const started = await shop.underpaid();
    await shop.deliverAll();
    const operator = { id: null, name: 'ADMIN_TOKEN', requestId: 'request 1' };
    const decisions = shop.replica(0).get(OrderDecisionsService);
    const request = { order_id: started.orderId, resolution: 'granted' } as const;
    for (let time = 0; time < 2; time += 1) await decisions.resolve(request, { operator });
    const entries = await shop.ledger.query(
      'SELECT token_name, action, request_id, account_id, before, after FROM admin_log WHERE subject = $1',
      [started.orderId],
    );
    expect(entries).toEqual([
      {
        token_name: 'ADMIN_TOKEN',
        action: 'order.resolved',
        request_id: 'request 1',
        account_id: started.accountId,
        before: { state: 'in_review', resolution: null, returned_cents: 0, accepted_at: null },
        after: { state: 'granted', resolution: 'granted', returned_cents: 0, accepted_at: null },
      },
    ]);
  });

  it('and is granted, has the credits for the money that is still there', async () => {
    const started = await shop.underpaid();
    await shop.refund(started, 950);
    expect(await shop.order(started)).toMatchObject({ state: 'in_review', returnedCents: 950 });
    await resolve(started, 'granted');
    expect(await shop.order(started)).toMatchObject({ returnedCents: 950, creditsTakenBack: 250 });
    await shop.refund(started);
    expect(await shop.order(started)).toMatchObject({ state: 'granted', creditsTakenBack: 500 });
    expect(await shop.ledger.balance(started.accountId)).toBe(0);
  });

  it('ends without credits when an operator says so, whatever is heard later', async () => {
    const started = await shop.underpaid();
    await shop.deliverAll();
    for (const replica of [0, 1]) {
      expect(await resolve(started, 'refunded', replica)).toMatchObject({
        state: 'refunded',
        resolution: 'refunded',
      });
    }
    await expect(resolve(started, 'granted')).rejects.toMatchObject(closed);
    await shop.deliverAll();
    expect(await shop.order(started)).toMatchObject({ state: 'refunded', resolution: 'refunded' });
    expect(await shop.lots(started.accountId)).toEqual([]);
  });

  it('ends by itself when everything went back, and is looked at again when that fails', async () => {
    const started = await shop.underpaid();
    await shop.deliverAll();
    const { id } = await shop.refund(started);
    expect(await shop.order(started)).toMatchObject({ state: 'refunded', resolution: 'refunded' });
    shop.standIn.returns.failRefund(id);
    await shop.deliverAll();
    expect(await shop.order(started)).toMatchObject({
      state: 'refunded',
      resolution: null,
      resolvedAt: null,
    });
    const inDashboard = { ...closed, message: expect.stringContaining('in the Stripe Dashboard') as string };
    await expect(resolve(started, 'granted')).rejects.toMatchObject(inDashboard);
    await expect(
      shop.replica(0).get(OrderDecisionsService).refund(started.orderId, undefined),
    ).rejects.toMatchObject(inDashboard);
    expect(await resolve(started, 'refunded')).toMatchObject({
      state: 'refunded',
      resolution: 'refunded',
    });
  });
});

describe('an order that is paid twice', () => {
  it('keeps its credits, and operators are notified', async () => {
    const order = await shop.granted();
    const second = shop.paidElsewhere(order, { metadata: { order_id: order.orderId } });
    await shop.deliverAll();
    await shop.deliverAll();
    const problem = `a second payment of 14,900 cents in usd (session ${second.id})`;
    const kept = { state: 'granted', checkoutSessionId: order.sessionId, paymentIntentId: order.intentId };
    expect(await shop.order(order)).toMatchObject({ ...kept, problem, resolution: null });
    shop.standIn.returns.refund(shop.standIn.records.session(second.id).payment_intent ?? '');
    await shop.deliverAll();
    expect(await shop.order(order)).toMatchObject({
      ...kept,
      returnedCents: 0,
      problem,
      problemSessions: [second.id],
      resolution: 'refunded',
    });
    expect(await shop.lots(order.accountId)).toHaveLength(1);
  });
});

describe('there is nothing to resolve', () => {
  it('about an order without a problem, or one that is not there', async () => {
    const order = await shop.granted();
    await expect(resolve(order, 'granted')).rejects.toMatchObject(closed);
    const unknown = { ...order, orderId: randomUUID() };
    await expect(resolve(unknown, 'granted')).rejects.toMatchObject({ code: 'not_found' });
  });
});

beforeAll(() => {
  // Operators are notified in the log.
  Logger.overrideLogger(false);
});
