import { type AdminAction, type RefundReason, type ResolveOrderRequest, ServiceError } from '#contracts';
import { messageOf } from '#platform';
import { type ChangeContext } from '#platform/database';
import { Injectable, Logger } from '@nestjs/common';
import { AccountTransactions, type LockedAccounts } from '../../database/account-transactions.js';
import { OverdueCharges } from '../../ledger/charges/overdue-charges.js';
import { OrderRefresh } from '../order-refresh.js';
import { OrderTransitions } from '../order-transitions.js';
import { type Order } from '../order.entity.js';
import { OrdersRepository } from '../orders.repository.js';
import { RefundRefused, StripeRefunds } from '../provider/stripe-refunds.js';
import { actionsOf, concernsOf, isNotRecovered, isPaidTwice } from './order-concerns.js';
import { ReviewedOrdersService } from './reviewed-orders.service.js';

type Resolution = ResolveOrderRequest['resolution'];

/** Only the operator can tell which payment, if any, is still to be refunded. */
const endedWithoutCredits =
  'This order has ended without credits: give back what is left in the Stripe Dashboard, then resolve it as refunded.';

/** What operators decide about orders. */
@Injectable()
export class OrderDecisionsService {
  private readonly logger = new Logger(OrderDecisionsService.name);

  constructor(
    private readonly reviewed: ReviewedOrdersService,
    private readonly orders: OrdersRepository,
    private readonly transactions: AccountTransactions,
    private readonly overdue: OverdueCharges,
    private readonly transitions: OrderTransitions,
    private readonly refreshing: OrderRefresh,
    private readonly stripe: StripeRefunds,
  ) {}

  /**
   * Ends the review of an order. An order in review is granted, as if it had been paid as ordered, or ends without credits; one
   * that was granted or refunded stays so. Returns the order as it is then, also when the same was decided before. No money moves.
   * Throws `not_found`, and `conflict` for an order without an open problem.
   */
  async resolve({ order_id, resolution }: ResolveOrderRequest, by: ChangeContext = {}): Promise<Order> {
    const { accountId } = await this.reviewed.get(order_id);
    const resolve = (locked: LockedAccounts) => this.resolveLocked(locked, order_id, resolution);
    return this.overdue.runWithAllVoided(accountId, resolve, by);
  }

  /**
   * Refunds the rest of the payment, and takes the credits back. Throws `not_found`; `conflict` when nothing is left or Stripe
   * refuses; `unavailable` without an answer of Stripe: the next attempt is then the same refund.
   */
  async refund(orderId: string, reason: RefundReason | undefined, by: ChangeContext = {}): Promise<void> {
    const order = await this.reviewed.get(orderId);
    const { paymentIntentId } = order;
    if (paymentIntentId === null || !actionsOf(order).includes('refund')) throw nothingToRefund(order);
    const attempt = order.refundAttempts + 1;
    const idempotencyKey = `${orderId}-refund-${attempt}`;
    try {
      await this.stripe.refundAll({ orderId, paymentIntentId, reason, idempotencyKey });
    } catch (error) {
      if (error instanceof RefundRefused) await this.endAttempt(order, attempt);
      throw error;
    }
    await this.endAttempt(order, attempt, by);
    this.logger.log(`Order ${orderId} of account ${order.accountId} was refunded by an operator.`);
    await this.takeCredits(order);
  }

  /**
   * Writes off credits that were not recovered, until more are missing. Throws `not_found`, and `conflict` for an order without
   * any.
   */
  async accept(orderId: string, by: ChangeContext = {}): Promise<void> {
    const { accountId } = await this.reviewed.get(orderId);
    const accept = async (locked: LockedAccounts): Promise<void> => {
      const order = await this.orders.find(orderId, locked);
      if (!order || !isNotRecovered(order)) {
        throw conflict('This order has no credits that were not recovered.');
      }
      await this.orders.change(locked, orderId, { acceptedAt: locked.now });
      await locked.record(changeOf('order.accepted', order, { ...order, acceptedAt: locked.now }));
    };
    await this.transactions.run([accountId], accept, by);
  }

  /** Of a refund by Stripe, or of one that it refused: then without a change to record. */
  private async endAttempt(order: Order, attempt: number, by: ChangeContext = {}): Promise<void> {
    const end = async (locked: LockedAccounts): Promise<void> => {
      const isFirstReply = await this.orders.endRefundAttempt(locked, order.id, attempt);
      if (isFirstReply) await locked.record(changeOf('order.refunded', order, order));
    };
    await this.transactions.run([order.accountId], end, by);
  }

  private async resolveLocked(
    locked: LockedAccounts,
    orderId: string,
    resolution: Resolution,
  ): Promise<Order> {
    const order = await this.orders.required(orderId, locked);
    const { problem, problemSessions, state, returnedCents } = order;
    if (problem === null) throw conflict('There is nothing to decide about this order.');
    if (order.resolution === resolution) return order;
    if (order.resolution !== null) throw conflict(`This order was resolved already, as ${order.resolution}.`);
    if (state === 'refunded' && resolution === 'granted') throw conflict(endedWithoutCredits);
    const resolved = await this.transitions.make(locked, order, {
      state: state === 'in_review' ? resolution : state,
      isGranted: state === 'in_review' && resolution === 'granted',
      returnedCents,
      review: { problem, problemSessions, resolution },
      cause: 'operator',
    });
    await locked.record(changeOf('order.resolved', order, resolved));
    return resolved;
  }

  /** The money is on its way: if this fails, Stripe's event or the reconciliation takes the credits. */
  private async takeCredits(order: Order): Promise<void> {
    try {
      await this.refreshing.refresh(order, 'operator');
    } catch (error) {
      this.logger.warn(`The credits of the refunded order ${order.id} are taken later: ${messageOf(error)}`);
    }
  }
}

/** What the decision was about, as the order's view names it. */
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

function conflict(message: string): ServiceError {
  return new ServiceError('conflict', message);
}
