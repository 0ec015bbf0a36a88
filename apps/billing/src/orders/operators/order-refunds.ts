import { type RefundReason, ServiceError } from '@app/contracts';
import { messageOf } from '@app/platform';
import { Injectable, Logger } from '@nestjs/common';
import { OrderRefresh } from '../order-refresh.js';
import { endedWithoutCredits } from '../order-reviews.js';
import { type Order } from '../order.entity.js';
import { OrdersRepository } from '../orders.repository.js';
import { RefundRefused, StripeRefunds } from '../provider/stripe-refunds.js';
import { actionsOf, concernsOf, isPaidTwice } from './order-concerns.js';
import { ReviewedOrders } from './reviewed-orders.js';

/** Refunds that operators ask for here instead of in the Stripe Dashboard. */
@Injectable()
export class OrderRefunds {
  private readonly logger = new Logger(OrderRefunds.name);

  constructor(
    private readonly reviewed: ReviewedOrders,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripeRefunds,
    private readonly refreshing: OrderRefresh,
  ) {}

  /**
   * Gives all that is left of the payment back, and takes the credits along. Throws `not_found`; `conflict` when nothing is left or
   * Stripe refuses; `unavailable` without an answer of Stripe: the next attempt is then the same refund.
   */
  async refund(orderId: string, reason: RefundReason | undefined): Promise<void> {
    const order = await this.reviewed.get(orderId);
    const { paymentIntentId } = order;
    if (paymentIntentId === null || !actionsOf(order).includes('refund')) throw nothingToRefund(order);
    const attempt = order.refundAttempts + 1;
    const idempotencyKey = `${orderId}-refund-${attempt}`;
    try {
      await this.stripe.refundAll({ orderId, paymentIntentId, reason, idempotencyKey });
    } catch (error) {
      if (error instanceof RefundRefused) await this.orders.endRefundAttempt(orderId, attempt);
      throw error;
    }
    await this.orders.endRefundAttempt(orderId, attempt);
    this.logger.log(`Order ${orderId} of account ${order.accountId} was refunded by an operator.`);
    await this.takeCredits(order);
  }

  /** The money is on its way: what fails here is done by Stripe's event, or by the reconciliation. */
  private async takeCredits(order: Order): Promise<void> {
    try {
      await this.refreshing.refresh(order, 'operator');
    } catch (error) {
      this.logger.warn(`The credits of the refunded order ${order.id} are taken later: ${messageOf(error)}`);
    }
  }
}

function nothingToRefund(order: Order): ServiceError {
  const { paymentIntentId, state } = order;
  if (isPaidTwice(order)) {
    return new ServiceError(
      'conflict',
      'This order was paid twice: refund one of the payments in the Stripe Dashboard, then resolve the order.',
    );
  }
  if (state === 'refunded' && concernsOf(order).includes('problem')) {
    return new ServiceError('conflict', endedWithoutCredits);
  }
  const isUnpaid = paymentIntentId === null || ['open', 'processing', 'expired', 'failed'].includes(state);
  return new ServiceError(
    'conflict',
    isUnpaid
      ? 'Nothing was paid for this order, as far as Stripe has said.'
      : 'Nothing is left to refund: all that was paid for this order has gone back.',
  );
}
