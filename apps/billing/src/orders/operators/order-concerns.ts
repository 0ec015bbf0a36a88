import { type OrderAction, type OrderConcern } from '#contracts';
import { type Order } from '../order.entity.js';

/** Why an operator has to review an order; `concernsSql` is the same condition in SQL. */
export function concernsOf(order: Order): OrderConcern[] {
  return [
    ...(isOpenProblem(order) ? (['problem'] as const) : []),
    ...(isNotRecovered(order) ? (['not_recovered'] as const) : []),
  ];
}

/** What an operator can do about it now. */
export function actionsOf(order: Order): OrderAction[] {
  return [
    ...(isOpenProblem(order) && order.state !== 'refunded' ? (['grant'] as const) : []),
    ...(isOpenProblem(order) ? (['mark_refunded'] as const) : []),
    ...(isRefundable(order) ? (['refund'] as const) : []),
    ...(isNotRecovered(order) ? (['accept'] as const) : []),
  ];
}

/** Whether an order that has its credits was paid again: only the operator can tell which payment goes back. */
export function isPaidTwice(order: Order): boolean {
  return order.state === 'granted' && isOpenProblem(order);
}

function isOpenProblem({ problem, resolution }: Order): boolean {
  return problem !== null && resolution === null;
}

/** Whether an order's money went back, its credits were spent, and no operator has written them off. */
export function isNotRecovered({ creditsNotRecovered, acceptedAt }: Order): boolean {
  return creditsNotRecovered > 0 && acceptedAt === null;
}

/** Whether an operator can refund an order: part of its only payment has not been returned. */
export function isRefundable(order: Order): boolean {
  const isPaid = order.state === 'granted' || order.state === 'in_review';
  const isMoneyLeft = order.returnedCents < (order.totalCents ?? order.priceCents);
  return isPaid && order.paymentIntentId !== null && isMoneyLeft && !isPaidTwice(order);
}

/** Served by `orders_to_review`. */
export const toReviewSql = 'problem IS NOT NULL AND resolution IS NULL';
/** The last condition is served by `orders_not_recovered`. */
export const concernsSql = `(${toReviewSql}) OR (credits_not_recovered > 0 AND accepted_at IS NULL)`;
