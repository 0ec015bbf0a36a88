import {
  type AdminAction,
  type ListOrderReviewsRequest,
  type OrderReview,
  type OrderReviewPath,
  type Page,
  type RefundOrderRequest,
  type ResolveOrderRequest,
  ServiceError,
} from '#contracts';
import { messageOf } from '#platform';
import {
  type ChangeContext,
  InjectTransactionRunner,
  type Queryable,
  TransactionRunner,
} from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { conflict } from '../../errors.js';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { reportsPool } from '../../database/data-source.js';
import { OverdueCharges } from '../../ledger/charges/overdue-charges.js';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { OrderTransitions } from '../order-transitions.js';
import { toOrderView } from '../order-view.js';
import { noSuchOrder, OrdersRepository } from '../orders.repository.js';
import { RefundRefused, StripePayments } from '../provider/stripe-payments.js';
import {
  actionsOf,
  concernsOf,
  concernsSql,
  isNotRecovered,
  isPaidTwice,
  isRefundable,
} from './order-concerns.js';

/** What other tables say of an order. */
type OrderContext = Pick<OrderReview, 'id' | 'account' | 'person' | 'credits_left'>;

/**
 * Served by primary keys. Credits of a charge that was not settled in time count as left once the sweep has voided it; an expired
 * lot has none.
 */
const contextsSql = `
  SELECT orders.id, json_build_object('id', accounts.id, 'name', accounts.name, 'email', accounts.email) AS account,
    json_build_object('id', orders.person_id, 'email', people.email_folded) AS person,
    CASE WHEN lots.expires_at > clock.now THEN lots.remaining WHEN lots.id IS NOT NULL THEN 0 END AS credits_left
  FROM orders
  CROSS JOIN (SELECT ledger_now() AS now) AS clock
  JOIN accounts ON accounts.id = orders.account_id
  LEFT JOIN people ON people.id = orders.person_id
  LEFT JOIN lots ON lots.id = orders.lot_id
  WHERE orders.id = ANY($1::uuid[])`;

/** Only the operator can tell which payment, if any, is still to be refunded. */
const endedWithoutCredits =
  'This order has ended without credits: give back what is left in the Stripe Dashboard, then resolve it as refunded.';

/** Shows orders to operators, and carries out their decisions. */
@Injectable()
export class ReviewedOrdersService {
  private readonly logger = new Logger(ReviewedOrdersService.name);

  constructor(
    private readonly database: TransactionRunner,
    @InjectTransactionRunner(reportsPool) private readonly reports: TransactionRunner,
    private readonly transactions: AccountTransactions,
    private readonly accounts: AccountsRepository,
    private readonly orders: OrdersRepository,
    private readonly overdue: OverdueCharges,
    private readonly transitions: OrderTransitions,
    private readonly refreshing: OrderRefresh,
    private readonly stripe: StripePayments,
  ) {}

  /** Newest first; with `attention` only orders that an operator has to review. */
  async list({
    attention = false,
    account_id: accountId,
    ...request
  }: ListOrderReviewsRequest): Promise<Page<OrderReview>> {
    const where = attention ? concernsSql : undefined;
    const { items, next_cursor } = await this.orders.page(accountId, request, where);
    return { items: await this.toReviews(this.reports, items), next_cursor };
  }

  /** Returns an order as it is stored now. Throws `not_found`. */
  async show({ order_id }: OrderReviewPath): Promise<OrderReview> {
    const [review] = await this.toReviews(this.database, [await this.orders.get(order_id)]);
    if (!review) throw noSuchOrder();
    return review;
  }

  /**
   * Ends the review of an order. An order in review is granted, as if it had been paid as ordered, or ends without credits; one
   * that was granted or refunded stays so. Changes nothing when the same was decided before. No money moves.
   * Throws `not_found`, and `conflict` for an order without an open problem.
   */
  async resolve(request: ResolveOrderRequest, by: ChangeContext = {}): Promise<OrderReview> {
    const { accountId } = await this.orders.get(request.order_id);
    await this.overdue.runWithAllVoided(accountId, (locked) => this.resolveLocked(locked, request), by);
    return this.show(request);
  }

  /**
   * Refunds the rest of the payment, and takes the credits back. Throws `not_found`; `conflict` when nothing is left or Stripe
   * refuses; `unavailable` without an answer of Stripe: the next attempt is then the same refund.
   */
  async refund(
    { order_id: orderId, reason }: RefundOrderRequest,
    { operator }: ChangeContext = {},
  ): Promise<OrderReview> {
    const order = await this.orders.get(orderId);
    const { paymentIntentId } = order;
    if (paymentIntentId === null || !isRefundable(order)) throw nothingToRefund(order);
    const attempt = order.refundAttempts + 1;
    try {
      await this.stripe.refundAll(orderId, paymentIntentId, attempt, reason);
    } catch (error) {
      if (error instanceof RefundRefused) await this.endAttempt(order, attempt);
      throw error;
    }
    // Not bound to the time that the caller has: Stripe has made the refund.
    await this.endAttempt(order, attempt, { operator });
    this.logger.log(`Order ${orderId} of account ${order.accountId} was refunded by an operator.`);
    try {
      await this.refreshing.refresh(order, 'operator');
    } catch (error) {
      // The money is on its way: Stripe's event or the reconciliation takes the credits.
      this.logger.warn(`The credits of the refunded order ${orderId} are taken later: ${messageOf(error)}`);
    }
    return this.show({ order_id: orderId });
  }

  /**
   * Writes off credits that were not recovered, until more are missing. Throws `not_found`, and `conflict` for an order without
   * any.
   */
  async accept({ order_id: orderId }: OrderReviewPath, by: ChangeContext = {}): Promise<OrderReview> {
    const { accountId } = await this.orders.get(orderId);
    const accept = async (locked: LockedAccounts): Promise<void> => {
      const order = await this.orders.find(orderId, locked);
      if (!order || !isNotRecovered(order)) {
        throw conflict('This order has no credits that were not recovered.');
      }
      await this.orders.change(locked, orderId, { acceptedAt: locked.now });
      await locked.record(changeOf('order.accepted', order, { ...order, acceptedAt: locked.now }));
    };
    await this.transactions.run([accountId], accept, by);
    return this.show({ order_id: orderId });
  }

  /** Ends an attempt to refund, whether Stripe made it or refused it; a refused one has no change to record. */
  private async endAttempt(order: Order, attempt: number, by: ChangeContext = {}): Promise<void> {
    const end = async (locked: LockedAccounts): Promise<void> => {
      const isFirstReply = await this.orders.endRefundAttempt(locked, order.id, attempt);
      if (isFirstReply) await locked.record(changeOf('order.refunded', order, order));
    };
    await this.transactions.run([order.accountId], end, by);
  }

  private async resolveLocked(
    locked: LockedAccounts,
    { order_id, resolution }: ResolveOrderRequest,
  ): Promise<void> {
    const order = await this.orders.required(order_id, locked);
    const { problem, problemSessions, state, returnedCents } = order;
    if (problem === null) throw conflict('There is nothing to decide about this order.');
    if (order.resolution === resolution) return;
    if (order.resolution !== null) throw conflict(`This order was resolved already, as ${order.resolution}.`);
    if (resolution === 'granted') await this.accounts.requireNotClosed(locked, order.accountId);
    if (state === 'refunded' && resolution === 'granted') throw conflict(endedWithoutCredits);
    const resolved = await this.transitions.make(locked, order, {
      state: state === 'in_review' ? resolution : state,
      isGranted: state === 'in_review' && resolution === 'granted',
      returnedCents,
      review: { problem, problemSessions, resolution },
      cause: 'operator',
    });
    await locked.record(changeOf('order.resolved', order, resolved));
  }

  /** An order that was deleted meanwhile is left out. */
  private async toReviews({ query }: Queryable, orders: readonly Order[]): Promise<OrderReview[]> {
    if (orders.length === 0) return [];
    const ids = orders.map(({ id }) => id);
    const rows = await query<OrderContext>('select contexts of orders', contextsSql, [ids]);
    const contexts = new Map(rows.map((row) => [row.id, row]));
    const now = await this.orders.now();
    return orders.flatMap((order) => {
      const context = contexts.get(order.id);
      return context ? [toReview(order, context, now)] : [];
    });
  }
}

function toReview(order: Order, context: OrderContext, now: Date): OrderReview {
  const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
  return {
    ...toOrderView(order, now),
    ...context,
    checkout_session_id: order.checkoutSessionId,
    payment_intent_id: order.paymentIntentId,
    answered_at: iso(order.answeredAt),
    returns_pending: order.returnsPending,
    problem: order.problem,
    problem_at: iso(order.problemAt),
    resolution: order.resolution,
    resolved_at: iso(order.resolvedAt),
    is_dispute_lost: order.isDisputeLost,
    accepted_at: iso(order.acceptedAt),
    concerns: concernsOf(order),
    actions: actionsOf(order),
  };
}

/** The fields of an order that a decision concerns, named as in its view. */
function changeOf(action: AdminAction, before: Order, after: Order) {
  const decidedAbout = ({ state, resolution, returnedCents, acceptedAt }: Order) => ({
    state,
    resolution,
    returned_cents: returnedCents,
    accepted_at: acceptedAt,
  });
  return {
    action,
    subject: before.id,
    account_id: before.accountId,
    before: decidedAbout(before),
    after: decidedAbout(after),
  };
}

function nothingToRefund(order: Order): ServiceError {
  const { paymentIntentId, state } = order;
  if (isPaidTwice(order)) {
    return conflict(
      'This order was paid twice: refund one of the payments in the Stripe Dashboard, then resolve the order.',
    );
  }
  if (state === 'refunded' && concernsOf(order).includes('problem')) return conflict(endedWithoutCredits);
  const isUnpaid = paymentIntentId === null || ['open', 'processing', 'expired', 'failed'].includes(state);
  return conflict(
    isUnpaid
      ? 'Nothing was paid for this order, as far as Stripe has said.'
      : 'Nothing is left to refund: all that was paid for this order has gone back.',
  );
}
