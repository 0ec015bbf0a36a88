import { type ListOrderReviewsRequest, type OrderReview } from '#contracts';
import { Logger } from '@nestjs/common';
import { register } from 'prom-client';
import { type Started, useShop } from '../shop.fixture.js';
import { OrderDecisionsService } from './order-decisions.service.js';
import { OrderGauges } from './order-gauges.js';
import { ReviewedOrdersService } from './reviewed-orders.service.js';

const shop = useShop();

beforeAll(() => {
  Logger.overrideLogger(false);
});

async function listed(request: Partial<ListOrderReviewsRequest> = {}): Promise<OrderReview[]> {
  return (await shop.ledger.get(ReviewedOrdersService).list({ limit: 50, ...request })).items;
}

const idsOf = (orders: readonly { id: string }[]) => orders.map(({ id }) => id);

async function set({ orderId }: Started, columns: string): Promise<void> {
  await shop.ledger.query(`UPDATE orders SET ${columns} WHERE id = $1`, [orderId]);
}

it('an operator sees everything of an order', async () => {
  const started = await shop.granted();
  await shop.ledger.query('UPDATE orders SET person_id = $2 WHERE id = $1', [
    started.orderId,
    await shop.ledger.factory.member(started.accountId, 'ada@site.example', 'owner'),
  ]);
  const review = await shop.ledger.get(ReviewedOrdersService).show(started.orderId);
  expect(review).toMatchObject({
    id: started.orderId,
    state: 'granted',
    price_cents: 14_900,
    account: {
      id: started.accountId,
      name: expect.any(String) as string,
      email: expect.stringMatching(/@/) as string,
    },
    person: { email: 'ada@site.example' },
    checkout_session_id: started.sessionId,
    payment_intent_id: started.intentId,
    problem: null,
    resolution: null,
    accepted_at: null,
    credits_left: 500,
    concerns: [],
    actions: ['refund'],
  });
  await expect(shop.ledger.get(ReviewedOrdersService).show(started.accountId)).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('lists all orders newest first, those of an account, and a page after the other', async () => {
  const account = await shop.ledger.factory.account();
  const others = await shop.granted();
  const [first, second] = [await shop.start(account), await shop.start(account)];
  expect(idsOf(await listed())).toEqual([second.orderId, first.orderId, others.orderId]);
  expect(idsOf(await listed({ account_id: account }))).toEqual([second.orderId, first.orderId]);
  const reviews = shop.ledger.get(ReviewedOrdersService);
  const page = await reviews.list({ limit: 2 });
  const rest = await reviews.list({ limit: 2, cursor: page.next_cursor ?? '' });
  expect([...idsOf(page.items), ...idsOf(rest.items)]).toEqual(idsOf(await listed()));
  expect(rest.next_cursor).toBeNull();
  expect((await listed({ account_id: account }))[0]).toMatchObject({
    person: { email: null },
    credits_left: null,
  });
});

it('lists only what needs attention, and says why', async () => {
  await shop.started();
  await shop.granted();
  const [problem, spent] = [await shop.granted(), await shop.granted()];
  await set(
    problem,
    `problem = 'a second session was paid', problem_at = ledger_now(), problem_sessions = '{cs_2}'`,
  );
  await set(spent, 'returned_cents = 14900, credits_not_recovered = 500');
  const shown = await listed({ attention: true });
  expect(shown.map(({ id, concerns }) => [id, concerns])).toEqual([
    [spent.orderId, ['not_recovered']],
    [problem.orderId, ['problem']],
  ]);
  expect(idsOf(await listed({ attention: true, account_id: problem.accountId }))).toEqual([problem.orderId]);
  await set(problem, `resolution = 'granted', resolved_at = ledger_now()`);
  await set(spent, 'accepted_at = ledger_now()');
  expect(await listed({ attention: true })).toEqual([]);
});

it('a refused cursor names itself', async () => {
  await expect(listed({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' });
});

describe('the gauges', () => {
  async function toReview(): Promise<number | undefined> {
    return (await register.getSingleMetric('creator_search_orders_to_review')?.get())?.values[0]?.value;
  }

  beforeEach(() => {
    register.clear();
    shop.ledger.get(OrderGauges).onModuleInit();
  });

  it('count each order that differs once, until it is resolved or everything is refunded', async () => {
    const [one, other] = [await shop.underpaid(), await shop.underpaid()];
    await shop.deliverAll();
    expect(await toReview()).toBe(2);
    await shop.ledger.get(OrderDecisionsService).resolve({ order_id: one.orderId, resolution: 'granted' });
    expect(await toReview()).toBe(1);
    await shop.ledger.get(OrderDecisionsService).refund(other.orderId, undefined);
    expect(await toReview()).toBe(0);
  });
});
