import { neverResent, type Page, PageRequest, toBilling } from '../message.js';
import { Choice, Flag, Id } from '../shape/fields.js';
import { Both } from '../shape/shape.js';
import { type OrderResolution, orderResolutions, type OrderView } from './orders.js';

/**
 * Why an operator has to look at an order. `problem`: what was paid is not what was ordered. `not_recovered`: the money
 * for spent credits went back.
 */
export type OrderConcern = 'problem' | 'not_recovered';

/**
 * What an operator can do about an order. `grant`: its credits, although something else was paid. `mark_refunded`: its problem
 * is over, because the money went back. `refund`: refund the rest of the payment. `accept`: leave it unchanged.
 */
export type OrderAction = 'grant' | 'mark_refunded' | 'refund' | 'accept';

/** The reason of a refund, passed on to Stripe, which learns from `fraudulent`. */
export const refundReasons = ['requested_by_customer', 'duplicate', 'fraudulent'] as const;
export type RefundReason = (typeof refundReasons)[number];

/** An order as operators see it. Times are ISO 8601 UTC; `null`: not yet. */
export interface OrderReview extends OrderView {
  readonly account: { readonly id: string; readonly name: string; readonly email: string };
  /** Who ordered it; without an address once the person is gone. */
  readonly person: { readonly id: string; readonly email: string | null };
  readonly checkout_session_id: string | null;
  readonly payment_intent_id: string | null;
  /** When the payment provider last answered about it. */
  readonly answered_at: string | null;
  /** Whether a paid order's refunds or disputes could not be read yet. */
  readonly returns_pending: boolean;
  /** Why what was paid is not what was ordered. */
  readonly problem: string | null;
  readonly problem_at: string | null;
  readonly resolution: OrderResolution | null;
  readonly resolved_at: string | null;
  /** Whether a dispute about its payment was lost. */
  readonly is_dispute_lost: boolean;
  /** When an operator last decided to leave it unchanged. */
  readonly accepted_at: string | null;
  /** Credits that can still be spent of its lot; `null` before it is granted. */
  readonly credits_left: number | null;
  readonly concerns: readonly OrderConcern[];
  readonly actions: readonly OrderAction[];
}

export class ListOrderReviewsRequest extends PageRequest {
  /** Only orders with a concern; default: all. */
  @Flag({ optional: true })
  readonly attention?: boolean;

  /** Only those of an account; default: of all. */
  @Id({ optional: true })
  readonly account_id?: string;
}

/** Names one order of any account. */
export class OrderReviewPath {
  @Id()
  readonly order_id: string;
}

export class ResolutionBody {
  @Choice(orderResolutions)
  readonly resolution: OrderResolution;
}

export class ResolveOrderRequest extends Both(OrderReviewPath, ResolutionBody) {}

export class RefundBody {
  @Choice(refundReasons, { optional: true })
  readonly reason?: RefundReason;
}

export class RefundOrderRequest extends Both(OrderReviewPath, RefundBody) {}

/** Newest first. */
export const listOrderReviews = toBilling<Page<OrderReview>>()('list_order_reviews', ListOrderReviewsRequest);
/** The order as it is stored. `not_found` when there is none. */
export const getOrderReview = toBilling<OrderReview>()('get_order_review', OrderReviewPath);
/**
 * Ends the problem of an order; the same resolution again changes nothing. `conflict` for an order without a problem, or one that
 * was resolved otherwise. Never resent: it would undo a newer decision.
 */
export const resolveOrder = toBilling<OrderReview>()('resolve_order', ResolveOrderRequest, neverResent);
/**
 * Refunds the rest of the payment, and takes its credits back. `conflict` when there is no rest, or the payment provider refuses:
 * the message says why. `unavailable` without an answer: a repetition refunds nothing twice.
 */
export const refundOrder = toBilling<OrderReview>()('refund_order', RefundOrderRequest, {
  deadlineMs: 20_000,
  resendAfterMs: null,
});
/**
 * Writes off the credits of an order that were not recovered. `conflict` for one without any. Never resent: more may be missing
 * then.
 */
export const acceptOrder = toBilling<OrderReview>()('accept_order', OrderReviewPath, neverResent);
