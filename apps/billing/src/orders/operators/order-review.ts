import { type OrderReview } from '@app/contracts';
import { type Order } from '../order.entity.js';
import { toOrderView } from '../order-view.js';
import { actionsOf, concernsOf } from './order-concerns.js';
import { type OrderContext } from './order-reviews.repository.js';

/** An order as operators see it. */
export function toOrderReview(order: Order, context: OrderContext, now: Date): OrderReview {
  return {
    ...toOrderView(order, now),
    account: { id: order.accountId, name: context.account_name, email: context.account_email },
    person: { id: order.personId, email: context.person_email },
    checkout_session_id: order.checkoutSessionId,
    payment_intent_id: order.paymentIntentId,
    answered_at: shown(order.answeredAt),
    returns_pending: order.returnsPending,
    problem: order.problem,
    problem_at: shown(order.problemAt),
    resolution: order.resolution,
    resolved_at: shown(order.resolvedAt),
    fraud_warning_at: shown(order.fraudWarningAt),
    is_dispute_lost: order.isDisputeLost,
    accepted_at: shown(order.acceptedAt),
    credits_left: context.credits_left,
    concerns: concernsOf(order),
    actions: actionsOf(order),
  };
}

function shown(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
