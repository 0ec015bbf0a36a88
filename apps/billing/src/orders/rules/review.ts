import { type OrderResolution } from '#contracts';
import { type Order } from '../order.entity.js';
import { type PaymentState } from './payment-state.js';

/** What an operator has to decide about an order, and the decision. */
export type Review = Readonly<Pick<Order, 'problem' | 'problemSessions' | 'resolution'>>;

/** Whether orders are paid with real money here. */
export interface Selling {
  readonly isLive: boolean;
  /** The account of the order is closed, so its credits could not be spent. */
  readonly isAccountClosed?: boolean;
}

type Payment = Pick<PaymentState, 'sessionId'>;

/** The review of an order. */
export function reviewOf({ problem, problemSessions, resolution }: Review): Review {
  return { problem, problemSessions, resolution };
}

/** Whether the operator knows of something about the payment, also when that was decided. */
export function concerns({ problemSessions }: Review, { sessionId }: Payment): boolean {
  return problemSessions.includes(sessionId);
}

/** An open review, with a further finding about the payment. */
export function withFinding(known: Review, { sessionId }: Payment, finding: string): Review {
  return {
    problem: known.problem === null ? finding : `${known.problem}; ${finding}`,
    problemSessions: [...new Set([...known.problemSessions, sessionId])],
    resolution: null,
  };
}

/** A review ends by itself when it is of this payment only. */
export function ended(review: Review, { sessionId }: Payment, resolution: OrderResolution): Review {
  const [only, ...others] = review.problemSessions;
  const isOfThisOnly = only === sessionId && others.length === 0;
  return isOfThisOnly && review.resolution === null ? { ...review, resolution } : review;
}

/** Orders are priced in it. */
export const currency = 'usd';

/** Why a payment is not that of the order, for an operator; `null` when it is. Tax and discounts are the operator's own. */
export function problemOf(
  order: Pick<Order, 'id' | 'priceCents'>,
  payment: PaymentState,
  selling: Selling,
): string | null {
  const { amounts, reference, isLive } = payment;
  if (amounts?.subtotalCents !== order.priceCents || payment.currency !== currency) {
    return inSession(payment, `paid ${amountOf(payment)}, ordered ${count(order.priceCents)} in ${currency}`);
  }
  if (payment.progress === 'no_payment_required' && amounts.totalCents !== 0) {
    return inSession(payment, `nothing was taken of ${amountOf(payment)}`);
  }
  if (reference !== order.id) {
    return inSession(
      payment,
      `the payment belongs to ${reference === null ? 'no order' : `order ${reference}`}`,
    );
  }
  if (isLive !== selling.isLive) {
    return inSession(
      payment,
      `paid in ${modeOf(isLive)} mode, orders are sold in ${modeOf(selling.isLive)} mode`,
    );
  }
  if (selling.isAccountClosed) return inSession(payment, 'the account was closed before it was paid');
  return null;
}

/** An order that is paid was paid again. */
export function secondPaymentOf(payment: PaymentState): string {
  return inSession(payment, `a second payment of ${amountOf(payment)}`);
}

/** A refund that had ended a review has failed, or a dispute was won. */
export function moneyIsBackOf(payment: PaymentState): string {
  return inSession(
    payment,
    `of ${amountOf(payment)} that were refunded, only ${count(payment.returnedCents)} are with the buyer now`,
  );
}

function inSession({ sessionId }: PaymentState, problem: string): string {
  return `${problem} (session ${sessionId})`;
}

function amountOf({ amounts, currency: paidIn }: PaymentState): string {
  if (amounts === null) return 'an unknown amount';
  const { subtotalCents, totalCents } = amounts;
  const total = totalCents === subtotalCents ? '' : `, ${count(totalCents)} with discounts and tax`;
  return `${count(subtotalCents)} cents in ${paidIn ?? 'no currency'}${total}`;
}

function modeOf(isLive: boolean): string {
  return isLive ? 'live' : 'test';
}

function count(cents: number): string {
  return cents.toLocaleString('en');
}
