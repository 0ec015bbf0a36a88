import { type CardPack, cardPacks } from '@app/contracts';
import {
  type Books,
  type PaymentMethod,
  type PriceChanges,
  type Session,
  StandInError,
} from '@app/stripe-stand-in';
import fc from 'fast-check';

/** What buyers, banks and the shop's staff do at Stripe; orders are named by number. */
export type Happening =
  | {
      readonly kind: 'pay';
      readonly order: number;
      readonly method: PaymentMethod;
      readonly price: PriceChanges;
    }
  | { readonly kind: 'settle'; readonly order: number; readonly outcome: 'succeeded' | 'failed' }
  | { readonly kind: 'expire'; readonly order: number }
  | { readonly kind: 'refund'; readonly order: number; readonly cents: number }
  | { readonly kind: 'refund fails'; readonly order: number }
  | {
      readonly kind: 'dispute';
      readonly order: number;
      readonly cents: number;
      readonly isInquiry: boolean;
    }
  | { readonly kind: 'dispute ends'; readonly order: number; readonly outcome: 'won' | 'lost' };

export const ordersMax = 2;
const order = fc.nat(ordersMax - 1);
/** Parts of the prices, whole ones and more than what was paid. */
const cents = fc.constantFrom(1, 38, 950, 1_900, 7_450, 14_900, 17_731, 59_900);

/** Mostly the price of the pack; else with tax, a discount, both, or nothing to pay. */
const anyPrice: fc.Arbitrary<PriceChanges> = fc.constantFrom(
  {},
  {},
  { taxPercent: 19 },
  { discountPercent: 20 },
  { taxPercent: 8.875, discountCents: 700 },
  { discountPercent: 100 },
);

/** What can be read of what goes back; the rest is refused or fails. */
export const readables = ['all', 'refunds', 'disputes', 'nothing'] as const;
export type Readable = (typeof readables)[number];
export const anyReadable: fc.Arbitrary<Readable> = fc.constantFrom('all', ...readables);

export const anyPack: fc.Arbitrary<CardPack> = fc.constantFrom(...cardPacks);

/** Anything that can happen; what can't at the moment is refused by the stand-in and does nothing. */
export const anyHappening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      order,
      method: fc.constantFrom('card' as const, 'card' as const, 'declined card' as const, 'delayed' as const),
      price: anyPrice,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      order,
      outcome: fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('expire' as const), order }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('refund' as const), order, cents }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund fails' as const), order }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('dispute' as const),
      order,
      cents,
      isInquiry: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('dispute ends' as const),
      order,
      outcome: fc.constantFrom('won' as const, 'lost' as const),
    }),
  },
);

/** Lets it happen to the session; does nothing when it can't. */
export function happen({ records, payments, returns }: Books, { id }: Session, what: Happening): void {
  const intent = records.session(id).payment_intent ?? '';
  const ofPayment = <One extends { readonly payment_intent: string }>(all: Iterable<One>): One | undefined =>
    [...all].findLast(({ payment_intent }) => payment_intent === intent);
  try {
    switch (what.kind) {
      case 'pay':
        payments.pay(id, what.method, what.price);
        break;
      case 'settle':
        payments.settle(id, what.outcome);
        break;
      case 'expire':
        payments.expire(id);
        break;
      case 'refund':
        returns.refund(intent, what.cents);
        break;
      case 'refund fails':
        returns.failRefund(ofPayment(records.refunds.values())?.id ?? '');
        break;
      case 'dispute':
        returns.dispute(intent, { amount: what.cents, isInquiry: what.isInquiry });
        break;
      case 'dispute ends':
        returns.closeDispute(ofPayment(records.disputes.values())?.id ?? '', what.outcome);
        break;
    }
  } catch (error) {
    if (!(error instanceof StandInError)) throw error;
  }
}

/** What is true of a payment at Stripe, worked out in another way than billing does. */
export interface Truth {
  readonly isPaid: boolean;
  /** With tax and discounts. */
  readonly totalCents: number;
  /** What an order is that nobody has paid. */
  readonly unpaidState: 'open' | 'processing' | 'expired' | 'failed';
  /** What the buyer has back, at most all of it. */
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
