import { type OrderState } from '@app/contracts';
import { type PaymentState } from './payment-state.js';

/** What decides about an order, as it is stored. */
export interface StoredOrder {
  readonly id: string;
  readonly state: OrderState;
  readonly priceCents: number;
  readonly checkoutSessionId: string | null;
  /** The number of the youngest question to the provider whose answer was applied. */
  readonly refreshApplied: number;
}

/** An answer of the provider. Questions about an order are numbered in the order in which they began. */
export interface Answer {
  readonly number: number;
  readonly payment: PaymentState;
}

/** Whether orders are paid with real money here. */
export interface Selling {
  readonly isLive: boolean;
}

export type OrderChange =
  /** The order is or becomes this; `isGranted`: its credits are granted now. */
  | {
      readonly kind: 'change';
      readonly state: OrderState;
      readonly isGranted: boolean;
      readonly returnedCents: number;
    }
  /** Somebody has paid, but not what was ordered, or once more: nothing is granted, and an operator has to look. */
  | { readonly kind: 'mismatch'; readonly problem: string }
  /** It says nothing of the order: another session in which nothing was paid, or less than is known already. */
  | { readonly kind: 'nothing' }
  /** A younger question was answered before: this answer may be older than what is known. */
  | { readonly kind: 'stale' };

const currency = 'usd';

/**
 * The one rule by which an order follows its payment. It depends on what the provider says now, not on how or how often
 * we were told, so the order, the repetition and the loss of events make no difference. A grant is for ever. What happened
 * before a question began is in its answer, and in those to all younger questions: so none needs to be applied after them.
 */
export function applyPaymentState(
  order: StoredOrder,
  { number, payment }: Answer,
  selling: Selling,
): OrderChange {
  if (number < order.refreshApplied) return { kind: 'stale' };
  const isOther = order.checkoutSessionId !== null && order.checkoutSessionId !== payment.sessionId;
  const wasGranted = order.state === 'granted';
  if (payment.progress !== 'paid') {
    if (isOther || wasGranted) return { kind: 'nothing' };
    return { kind: 'change', state: payment.progress, isGranted: false, returnedCents: 0 };
  }
  const problem = problemOf(order, payment, selling, isOther);
  if (problem !== null) return { kind: 'mismatch', problem };
  const returnedCents = Math.min(order.priceCents, payment.returnedCents);
  return { kind: 'change', state: 'granted', isGranted: !wasGranted, returnedCents };
}

/** Why a payment is not that of the order; `null` when it is. */
function problemOf(
  order: StoredOrder,
  payment: PaymentState,
  selling: Selling,
  isOther: boolean,
): string | null {
  if (isOther) return `a second session, ${payment.sessionId}, was paid`;
  if (payment.reference !== order.id) return `its session belongs to ${payment.reference ?? 'no order'}`;
  if (payment.amountCents !== order.priceCents) {
    return `${payment.amountCents ?? 'no'} cents were paid, not ${order.priceCents}`;
  }
  if (payment.currency !== currency) return `it was paid in ${payment.currency ?? 'no currency'}`;
  if (payment.isLive !== selling.isLive) return `it was paid in ${payment.isLive ? 'live' : 'test'} mode`;
  return null;
}
