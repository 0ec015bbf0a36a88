import { type OrderAction, type OrderConcern } from '#contracts';
import { type Order } from '../order.entity.js';

type ReviewedOrder = Pick<
  Order,
  | 'state'
  | 'problem'
  | 'resolution'
  | 'priceCents'
  | 'totalCents'
  | 'returnedCents'
  | 'paymentIntentId'
  | 'creditsNotRecovered'
  | 'fraudWarningAt'
  | 'acceptedAt'
>;

/** Why an operator has to look at an order; `concernsSql` is the same condition in SQL. */
export function concernsOf(order: ReviewedOrder): OrderConcern[] {
  return [
    ...(isOpenProblem(order) ? (['problem'] as const) : []),
    ...(isWarned(order) && isMoneyLeft(order) ? (['fraud_warning'] as const) : []),
    ...(order.creditsNotRecovered > 0 && order.acceptedAt === null ? (['not_recovered'] as const) : []),
  ];
}

/** An earlier decision to accept was about something else. */
function isWarned({ fraudWarningAt, acceptedAt }: ReviewedOrder): boolean {
  return fraudWarningAt !== null && (acceptedAt === null || acceptedAt < fraudWarningAt);
}

/** What an operator can do about it now. */
export function actionsOf(order: ReviewedOrder): OrderAction[] {
  const concerns = concernsOf(order);
  const isPaid = order.state === 'granted' || order.state === 'in_review';
  return [
    ...(isOpenProblem(order) && order.state !== 'refunded' ? (['grant'] as const) : []),
    ...(isOpenProblem(order) ? (['mark_refunded'] as const) : []),
    ...(isPaid && order.paymentIntentId !== null && isMoneyLeft(order) && !isPaidTwice(order)
      ? (['refund'] as const)
      : []),
    ...(concerns.some((concern) => concern !== 'problem') ? (['accept'] as const) : []),
  ];
}

/** It has its credits, and was paid again: only the operator can tell which payment goes back. */
export function isPaidTwice(order: ReviewedOrder): boolean {
  return order.state === 'granted' && isOpenProblem(order);
}

function isOpenProblem({ problem, resolution }: ReviewedOrder): boolean {
  return problem !== null && resolution === null;
}

/** Whether some of what was paid has not gone back. */
function isMoneyLeft({ state, returnedCents, totalCents, priceCents }: ReviewedOrder): boolean {
  return state !== 'refunded' && returnedCents < (totalCents ?? priceCents);
}

/** Served by `orders_to_review`. */
export const toReviewSql = 'problem IS NOT NULL AND resolution IS NULL';
/** Served by `orders_warned_of`: warnings are few. */
export const warnedSql = `
  fraud_warning_at IS NOT NULL AND (accepted_at IS NULL OR accepted_at < fraud_warning_at) AND state <> 'refunded'
  AND returned_cents < COALESCE(total_cents, price_cents)`;
/** The last condition is served by `orders_not_recovered`. */
export const concernsSql = `(${toReviewSql}) OR (${warnedSql}) OR (credits_not_recovered > 0 AND accepted_at IS NULL)`;
