import { cardPacks } from '#contracts';
import fc from 'fast-check';
import { type Order } from '../order.entity.js';
import { type PostgresOrders } from './play-on-postgres.fixture.js';
import { kindOf, ordersMax, shopEvents, type Truth, type ValueOf, weighted } from './shop-events.fixture.js';

/** An order as billing has stored it, and what is true of it. */
export interface OrderBooks extends Pick<
  Order,
  | 'state'
  | 'problem'
  | 'resolution'
  | 'credits'
  | 'totalCents'
  | 'returnedCents'
  | 'returnsPending'
  | 'creditsTakenBack'
  | 'creditsNotRecovered'
> {
  readonly truth: Truth;
  readonly isMispriced: boolean;
  /** Where the credits of each of its lots are; there is at most one, if the rules are right. */
  readonly lots: readonly LotBooks[];
}

interface LotBooks {
  readonly remaining: number;
  /** Taken back by adjustments of the order. */
  readonly taken: number;
  readonly spent: number;
  readonly expired: number;
  readonly isOpen: boolean;
}

/**
 * How billing learns of a payment: by any event so far, old or new, for the first time or again; by the buyer's return; by
 * the reconciliation. An event that is never delivered is lost, one that is delivered later is late.
 */
const channels = fc.oneof(
  weighted(5, fc.record({ by: kindOf('event'), event: fc.nat(200) })),
  weighted(2, fc.record({ by: kindOf('return_page'), order: fc.nat(ordersMax - 1) })),
  weighted(1, fc.record({ by: kindOf('reconciliation') })),
);
export type DeliveryChannel = ValueOf<typeof channels>;

/** What can be read of what goes back; the rest is refused or fails. */
export type Readable = 'all' | 'refunds' | 'disputes' | 'nothing';

const outcome = fc.constantFrom('posted' as const, 'voided' as const);
const readable = fc.constantFrom<Readable[]>('all', 'all', 'refunds', 'disputes', 'nothing');
/** All at once, through both replicas, while more happens at the shop. */
const deliveries = {
  channels: fc.array(channels, { minLength: 1, maxLength: 6 }),
  meanwhile: fc.array(shopEvents, { maxLength: 2 }),
};

const steps = fc.oneof(
  weighted(8, fc.record({ kind: kindOf('shop_event'), event: shopEvents })),
  weighted(6, fc.record({ kind: kindOf('deliver'), ...deliveries })),
  // Everything so far is delivered and answered.
  weighted(1, fc.record({ kind: kindOf('deliver_all') })),
  weighted(
    3,
    fc.record({ kind: kindOf('spend'), credits: fc.constantFrom<number[]>(1, 20, 50, 499, 2_500) }),
  ),
  weighted(2, fc.record({ kind: kindOf('end_call'), outcome })),
  weighted(
    1,
    fc.record({ kind: kindOf('hours'), hours: fc.constantFrom<number[]>(1, 1, 25, 29 * 24, 30 * 24) }),
  ),
  weighted(1, fc.record({ kind: kindOf('sweep') })),
  weighted(1, fc.record({ kind: kindOf('readable'), what: readable })),
);
export type Step = ValueOf<typeof steps>;

/** What is bought; one that is mispriced costs a dollar less at Stripe. */
const bought = fc.record({
  pack: fc.constantFrom(...cardPacks),
  isMispriced: fc.nat(7).map((one) => one === 0),
  /** What goes wrong with the first requests for its session. */
  failure: fc.record({
    kind: fc.constantFrom('500' as const, 'break' as const),
    when: fc.constantFrom('before' as const, 'after' as const),
    times: fc.constantFrom(0, 0, 0, 1, 2, 3),
  }),
});
export type Bought = ValueOf<typeof bought>;

export const histories = fc.record({
  bought: fc.array(bought, { minLength: 1, maxLength: ordersMax }),
  steps: fc.array(steps, { minLength: 5, maxLength: 20, size: 'max' }),
});

/** Plays a history, and compares the orders with what is true of them at its end. */
export async function playHistory(
  player: PostgresOrders,
  { bought, steps }: ValueOf<typeof histories>,
): Promise<void> {
  await player.begin(bought);
  for (const step of steps) {
    await player.take(step);
    for (const { lots, truth } of await player.orders()) {
      if (lots.length > (truth.isPaid ? 1 : 0)) {
        throw new Error(`${lots.length} lots of ${JSON.stringify(truth)}`);
      }
    }
  }
  await player.finish();
  for (const order of await player.orders()) expectTruth(order);
}

function expectTruth(order: OrderBooks): void {
  const { truth, lots, credits, state } = order;
  expect(order.returnsPending).toBe(false);
  if (truth.isPaid && order.isMispriced) return expectReview(order);
  const { isPaid, unpaidState, returnedCents, totalCents } = truth;
  expect({ state, lots: lots.length, returnedCents: order.returnedCents }).toEqual({
    state: isPaid ? 'granted' : unpaidState,
    lots: isPaid ? 1 : 0,
    returnedCents: isPaid ? returnedCents : 0,
  });
  const [lot] = lots;
  if (!lot) return;
  expect(order.totalCents).toBe(totalCents);
  expectExplained(order, lot, {
    owed: totalCents > 0 ? Math.floor((credits * returnedCents) / totalCents) : 0,
  });
}

/** Each credit of the lot is there, was spent, has expired, or was taken back by an adjustment of the order. */
function expectExplained(order: OrderBooks, lot: LotBooks, { owed }: { owed: number }): void {
  const { credits, creditsTakenBack, creditsNotRecovered } = order;
  const { remaining, taken, spent, expired, isOpen } = lot;
  expect(taken).toBe(creditsTakenBack);
  expect(remaining + taken + spent + expired).toBe(credits);
  expect(creditsNotRecovered).toBe(Math.max(0, owed - creditsTakenBack));
  if (!isOpen) return;
  // Until the lot expires, nothing is taken that is still paid for, and nothing remains that was paid back.
  expect(creditsTakenBack).toBeLessThanOrEqual(owed);
  if (creditsNotRecovered > 0) expect(remaining).toBe(0);
}

/** What was paid at another price gives nothing, and is for an operator until all of it is back. */
function expectReview({ truth, lots, ...order }: OrderBooks): void {
  const isAllBack = truth.totalCents > 0 && truth.returnedCents === truth.totalCents;
  expect(lots).toEqual([]);
  expect(order.problem).toContain('ordered');
  expect(order).toMatchObject({
    // A refund that fails later leaves the order refunded, and opens the review again.
    state: isAllBack || order.state === 'refunded' ? 'refunded' : 'in_review',
    resolution: isAllBack ? 'refunded' : null,
    returnedCents: truth.returnedCents,
  });
}
