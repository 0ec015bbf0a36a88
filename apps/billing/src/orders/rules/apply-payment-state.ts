import { type Order } from '../order.entity.js';
import { paidCents } from './credits-to-return.js';
import { isPaid, type PaymentAmounts, type PaymentState, type UnpaidProgress } from './payment-state.js';
import {
  concerns,
  currency,
  ended,
  moneyIsBackOf,
  problemOf,
  type Review,
  reviewOf,
  secondPaymentOf,
  type Selling,
  withFinding,
} from './review.js';

/** What decides about an order, as it is stored. */
export type StoredOrder = Review &
  Readonly<Pick<Order, 'id' | 'state' | 'priceCents' | 'totalCents' | 'returnedCents'>> &
  Readonly<Pick<Order, 'checkoutSessionId' | 'refreshApplied'>>;

/** An answer of the provider. Requests about an order are numbered in the order in which they began. */
export interface Answer {
  readonly number: number;
  readonly payment: PaymentState;
}

/** What an order has become by the payment of its session. */
export interface PaidOrder {
  readonly state: Order['state'];
  /** Whether the order's credits are granted now. */
  readonly isGranted: boolean;
  /** In dollars; `null`: unpaid, or paid in another currency, which the review says. */
  readonly amounts: PaymentAmounts | null;
  /** 0 to what was paid; of a payment in another currency, the same share of the price. */
  readonly returnedCents: number;
  /** More may have gone back: the provider has to be asked again. */
  readonly returnsPending: boolean;
  readonly review: Review;
}

export type OrderChange =
  /** The order is or becomes this, by the session of the answer. */
  | ({ readonly kind: 'change' } & PaidOrder)
  /** The order was paid again: it stays as it is, and an operator has to review it. */
  | { readonly kind: 'second_payment'; readonly review: Review }
  /** Nothing changed. */
  | { readonly kind: 'nothing' }
  /**
   * The answer says nothing new: a later request was answered before; or it is about another session, in which nothing was paid or
   * whose payment is known.
   */
  | { readonly kind: 'ignored' };

const ignored: OrderChange = { kind: 'ignored' };

/**
 * The one rule by which an order follows its payment. It depends on what the provider says now, so the order, repetition and loss
 * of events make no difference. A grant is final, and so is the end of a review. An answer contains everything that happened to a
 * session before the request began, and so do the answers to all later requests: an older answer need not be applied after them. An
 * unpaid order follows whichever of its sessions is paid.
 */
export function applyPaymentState(
  order: StoredOrder,
  { number, payment }: Answer,
  selling: Selling,
): OrderChange {
  const { progress } = payment;
  const isOther = order.checkoutSessionId !== null && order.checkoutSessionId !== payment.sessionId;
  if (isOther && !isPaid(progress)) return ignored;
  if (isOther && wasPaid(order)) return secondPayment(order, payment);
  if (!isOther && number < order.refreshApplied) return ignored;
  if (isPaid(progress)) return { kind: 'change', ...paid(order, payment, selling) };
  return wasPaid(order) ? { kind: 'nothing' } : { kind: 'change', ...unpaid(order, progress) };
}

function wasPaid({ state }: StoredOrder): boolean {
  return state === 'granted' || state === 'in_review' || state === 'refunded';
}

function unpaid(order: StoredOrder, progress: UnpaidProgress): PaidOrder {
  return {
    state: progress,
    isGranted: false,
    amounts: null,
    returnedCents: 0,
    returnsPending: false,
    review: reviewOf(order),
  };
}

function paid(order: StoredOrder, payment: PaymentState, selling: Selling): PaidOrder {
  const amounts = payment.currency === currency ? payment.amounts : null;
  const returnedCents = returnedOf(order, payment);
  const paidNow = { isGranted: false, amounts, returnedCents, returnsPending: !payment.areReturnsKnown };
  const { state } = order;
  const known = reviewOf(order);
  if (state === 'granted') return { ...paidNow, state, review: known };
  const cents = paidCents({ ...order, totalCents: amounts?.totalCents ?? null });
  const isAllBack = cents > 0 && returnedCents >= cents;
  if (state === 'refunded') return { ...paidNow, state, review: afterRefund(order, payment, isAllBack) };
  const found = problemOf(order, payment, selling);
  if (found === null) {
    return { ...paidNow, state: 'granted', isGranted: true, review: ended(known, payment, 'granted') };
  }
  const review = concerns(known, payment) ? known : withFinding(known, payment, found);
  return isAllBack
    ? { ...paidNow, state: 'refunded', review: ended(review, payment, 'refunded') }
    : { ...paidNow, state: 'in_review', review };
}

/** In the currency of the order. While some of it can't be read, no less than is known already. */
function returnedOf(order: StoredOrder, { amounts, areReturnsKnown, ...payment }: PaymentState): number {
  const total = amounts?.totalCents ?? order.priceCents;
  const returned = Math.min(total, payment.returnedCents);
  const inDollars =
    payment.currency === currency || total === 0
      ? returned
      : Math.floor((order.priceCents * returned) / total);
  return areReturnsKnown ? inDollars : Math.max(order.returnedCents, inDollars);
}

/** The money of a refund that had ended a review can come back: the refund fails, or a dispute is won. */
function afterRefund(order: StoredOrder, payment: PaymentState, isAllBack: boolean): Review {
  const known = reviewOf(order);
  if (returnedOf(order, payment) < order.returnedCents) {
    return withFinding(known, payment, moneyIsBackOf(payment));
  }
  return isAllBack ? ended(known, payment, 'refunded') : known;
}

/** Reported once: an operator who has decided about it is not asked again. */
function secondPayment(order: StoredOrder, payment: PaymentState): OrderChange {
  const isAllBack = payment.returnedCents >= (payment.amounts?.totalCents ?? 0);
  const known = reviewOf(order);
  if (concerns(known, payment)) {
    const review = isAllBack ? ended(known, payment, 'refunded') : known;
    return review.resolution === known.resolution ? ignored : { kind: 'second_payment', review };
  }
  // Nothing is left to decide, also of one that was free.
  if (isAllBack) return ignored;
  return { kind: 'second_payment', review: withFinding(known, payment, secondPaymentOf(payment)) };
}
