import { type RefundOffer } from '#contracts';
import { actionsOf } from '../operators/order-concerns.js';
import { type Order } from '../order.entity.js';
import { type RefundableOrder, refundableForMs, refundableUntil } from '../rules/buyers-refund.js';

/** The order as the rule of its buyer's refund sees it: what an operator can't refund, its buyer can't either. */
export function refundable(order: Order): RefundableOrder {
  return { ...order, isRefundable: actionsOf(order).includes('refund') };
}

/** What the buyer is offered; `null`: nothing. `remaining`: of the lot of the order. */
export function refundOfferOf(order: Order, remaining: number, now: Date): RefundOffer | null {
  const { refundPending, refundRequestedAt, credits } = order;
  if (refundPending && refundRequestedAt) {
    const until = new Date(refundRequestedAt.getTime() + refundableForMs);
    return { state: 'requested', until: until.toISOString() };
  }
  const until = refundableUntil(refundable(order));
  if (until === null || now >= until) return null;
  return { state: remaining < credits ? 'used' : 'possible', until: until.toISOString() };
}
