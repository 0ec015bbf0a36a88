import { type CardPack, cardPacks } from '#contracts';
import { type Failure } from '#stripe-stand-in';
import fc from 'fast-check';
import { type Order } from '../order.entity.js';
import { type PostgresOrders } from './play-on-postgres.fixture.js';
import { ordersMax, type ShopEvent, shopEvents, type Truth } from './shop-events.fixture.js';

/**
 * How billing learns of a payment: by any event so far, old or new, for the first time or again; by the buyer's return; by
 * the reconciliation. An event that is never delivered is lost, one that is delivered later is late.
 */
export type DeliveryChannel =
  | { readonly by: 'event'; readonly event: number }
  | { readonly by: 'return_page'; readonly order: number }
  | { readonly by: 'reconciliation' };

/** What can be read of what goes back; the rest is refused or fails. */
export type Readable = 'all' | 'refunds' | 'disputes' | 'nothing';

export type Step =
  | { readonly kind: 'shop_event'; readonly event: ShopEvent }
  /** All at once, through both replicas, while more happens at the shop. */
  | {
      readonly kind: 'deliver';
      readonly channels: readonly DeliveryChannel[];
      readonly meanwhile: readonly ShopEvent[];
    }
  /** Everything so far is delivered and answered. */
  | { readonly kind: 'deliver_all' }
  | { readonly kind: 'spend'; readonly credits: number }
  | { readonly kind: 'end_call'; readonly outcome: 'posted' | 'voided' }
  | { readonly kind: 'hours'; readonly hours: number }
  | { readonly kind: 'sweep' }
  | { readonly kind: 'readable'; readonly what: Readable };

/** What is bought; one that is mispriced costs a dollar less at Stripe. */
export interface Bought {
  readonly pack: CardPack;
  readonly isMispriced: boolean;
  /** What goes wrong with the first requests for its session. */
  readonly failure: Pick<Failure, 'kind' | 'when' | 'times'>;
}

export interface History {
  readonly bought: readonly Bought[];
  readonly steps: readonly Step[];
}

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

const channels: fc.Arbitrary<DeliveryChannel> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant('event' as const), event: fc.nat(200) }) },
  {
    weight: 2,
    arbitrary: fc.record({ by: fc.constant('return_page' as const), order: fc.nat(ordersMax - 1) }),
  },
  { weight: 1, arbitrary: fc.constant({ by: 'reconciliation' as const }) },
);

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });

const steps: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    8,
    shopEvents.map((event) => ({ kind: 'shop_event', event })),
  ),
  weighted(
    6,
    fc.record({
      kind: fc.constant('deliver' as const),
      channels: fc.array(channels, { minLength: 1, maxLength: 6 }),
      meanwhile: fc.array(shopEvents, { maxLength: 2 }),
    }),
  ),
  weighted(1, fc.constant({ kind: 'deliver_all' })),
  weighted(
    3,
    fc.record({ kind: fc.constant('spend' as const), credits: fc.constantFrom(1, 20, 50, 499, 2_500) }),
  ),
  weighted(
    2,
    fc.record({ kind: fc.constant('end_call' as const), outcome: fc.constantFrom('posted', 'voided') }),
  ),
  weighted(
    1,
    fc.record({ kind: fc.constant('hours' as const), hours: fc.constantFrom(1, 1, 25, 29 * 24, 30 * 24) }),
  ),
  weighted(1, fc.constant({ kind: 'sweep' })),
  weighted(
    1,
    fc.record({
      kind: fc.constant('readable' as const),
      what: fc.constantFrom<Readable>('all', 'all', 'refunds', 'disputes', 'nothing'),
    }),
  ),
);

const bought: fc.Arbitrary<Bought> = fc.record({
  pack: fc.constantFrom(...cardPacks),
  isMispriced: fc.nat(7).map((one) => one === 0),
  failure: fc.record({
    kind: fc.constantFrom('500' as const, 'break' as const),
    when: fc.constantFrom('before' as const, 'after' as const),
    times: fc.constantFrom(0, 0, 0, 1, 2, 3),
  }),
});

export const histories: fc.Arbitrary<History> = fc.record({
  bought: fc.array(bought, { minLength: 1, maxLength: ordersMax }),
  steps: fc.array(steps, { minLength: 5, maxLength: 20, size: 'max' }),
});

/** Plays a history, and compares the orders with what is true of them at its end. */
export async function playHistory(player: PostgresOrders, { bought, steps }: History): Promise<void> {
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
