import { type Books, type PriceChanges, type Session, StandInError } from '#stripe-stand-in';
import fc from 'fast-check';

export const ordersMax = 2;
const order = fc.nat(ordersMax - 1);
/** Parts of the prices, whole ones and more than what was paid. */
const cents = fc.constantFrom(1, 38, 950, 1_900, 7_450, 14_900, 17_731, 59_900);

/** Mostly the price of the pack; else with tax, a discount, both, or nothing to pay. */
const price: fc.Arbitrary<PriceChanges> = fc.constantFrom(
  {},
  {},
  { taxPercent: 19 },
  { discountPercent: 20 },
  { taxPercent: 8.875, discountCents: 700 },
  { discountPercent: 100 },
);

export const weighted = <Event>(weight: number, arbitrary: fc.Arbitrary<Event>) => ({ weight, arbitrary });
export const kindOf = <Kind extends string>(kind: Kind): fc.Arbitrary<Kind> => fc.constant(kind);

/** Any event; what can't happen at the moment is refused by the stand-in and does nothing. */
export const shopEvents = fc.oneof(
  weighted(
    12,
    fc.record({
      kind: kindOf('pay'),
      order,
      method: fc.constantFrom('card', 'card', 'declined card', 'delayed'),
      price,
    }),
  ),
  weighted(
    3,
    fc.record({
      kind: kindOf('settle'),
      order,
      outcome: fc.constantFrom('succeeded', 'succeeded', 'failed'),
    }),
  ),
  weighted(2, fc.record({ kind: fc.constantFrom('expire', 'fail_refund'), order })),
  weighted(5, fc.record({ kind: kindOf('refund'), order, cents })),
  weighted(
    2,
    fc.record({ kind: kindOf('dispute'), order, cents, isInquiry: fc.constantFrom(false, false, true) }),
  ),
  weighted(2, fc.record({ kind: kindOf('close_dispute'), order, outcome: fc.constantFrom('won', 'lost') })),
);

/** What buyers, banks and the shop's staff do at Stripe; orders are named by number. */
export type ShopEvent = ValueOf<typeof shopEvents>;
export type ValueOf<Drawn> = Drawn extends fc.Arbitrary<infer Value> ? Value : never;

/** Applies an event to the session; does nothing when it can't happen. */
export function applyShopEvent(
  { records, payments, returns }: Books,
  { id }: Session,
  event: ShopEvent,
): void {
  const intent = records.session(id).payment_intent ?? '';
  const ofPayment = <One extends { readonly payment_intent: string }>(all: Iterable<One>): One | undefined =>
    [...all].findLast(({ payment_intent }) => payment_intent === intent);
  try {
    switch (event.kind) {
      case 'pay':
        payments.pay(id, event.method, event.price);
        break;
      case 'settle':
        payments.settle(id, event.outcome);
        break;
      case 'expire':
        payments.expire(id);
        break;
      case 'refund':
        returns.refund(intent, event.cents);
        break;
      case 'fail_refund':
        returns.failRefund(ofPayment(records.refunds.values())?.id ?? '');
        break;
      case 'dispute':
        returns.dispute(intent, { amount: event.cents, isInquiry: event.isInquiry });
        break;
      case 'close_dispute':
        returns.closeDispute(ofPayment(records.disputes.values())?.id ?? '', event.outcome);
        break;
    }
  } catch (error) {
    if (!(error instanceof StandInError)) throw error;
  }
}

/** What is true of a payment at Stripe, calculated in another way than billing does. */
export interface Truth {
  readonly isPaid: boolean;
  /** With tax and discounts. */
  readonly totalCents: number;
  /** The state of an order that is not paid. */
  readonly unpaidState: 'open' | 'processing' | 'expired' | 'failed';
  /** What went back to the buyer, at most all of it. */
  readonly returnedCents: number;
}

export function truthOf({ records }: Books, sessionId: string): Truth {
  const session = records.session(sessionId);
  const intent = session.payment_intent === null ? null : records.paymentIntent(session.payment_intent);
  const paidCharges = [...records.charges.values()].filter(
    ({ payment_intent, paid }) => payment_intent === intent?.id && paid,
  );
  // Refunds by the running total of the charge, disputes by their status.
  const refunded = paidCharges.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0);
  const held = [...records.disputes.values()]
    .filter(({ payment_intent }) => payment_intent === intent?.id)
    .filter(({ status }) => status === 'needs_response' || status === 'lost')
    .reduce((sum, { amount }) => sum + amount, 0);
  const totalCents = session.amount_total ?? 0;
  const isFree = totalCents === 0 && session.status === 'complete';
  return {
    isPaid: paidCharges.length > 0 || isFree,
    totalCents,
    unpaidState: unpaidStateOf(session, intent?.status),
    returnedCents: Math.min(totalCents, refunded + held),
  };
}

function unpaidStateOf({ status }: Session, intentStatus: string | undefined): Truth['unpaidState'] {
  if (status === 'open' || status === 'expired') return status === 'open' ? 'open' : 'expired';
  return intentStatus === 'requires_payment_method' ? 'failed' : 'processing';
}
