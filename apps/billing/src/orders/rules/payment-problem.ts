import { type PaymentState } from './payment-state.js';

/** Orders are priced in it. */
export const currency = 'usd';

/** Why a payment is not that of the order, for an operator; `null` when it is. Tax and discounts are the operator's own. */
export function problemOf(
  order: { readonly id: string; readonly priceCents: number },
  payment: PaymentState,
  selling: { readonly isLive: boolean },
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
