import { Injectable, Logger } from '@nestjs/common';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Cause } from '../order-transitions.js';
import { OrdersRepository } from '../orders.repository.js';
import { StripePayments } from '../provider/stripe-payments.js';

/** Warnings of card networks that a payment is probably fraud: most of them become disputes unless the payment is refunded. */
@Injectable()
export class FraudWarnings {
  private readonly logger = new Logger(FraudWarnings.name);

  constructor(
    private readonly refreshing: OrderRefresh,
    private readonly stripe: StripePayments,
    private readonly orders: OrdersRepository,
  ) {}

  /**
   * Notes the warning of a payment intent, or of a charge, at its order and tells operators, once; `null`: the payment is none of
   * ours. The order is brought up to date before: it may have been refunded. Throws as `OrderRefresh`.
   */
  async take(paymentId: string, cause: Cause): Promise<Order | null> {
    const intent = isCharge(paymentId) ? await this.stripe.paymentOfCharge(paymentId) : paymentId;
    const order = intent === null ? null : await this.refreshing.refreshPayment(intent, cause);
    if (!order || !(await this.orders.warn(order.id))) return order;
    this.logger.error(
      `A card network warns that the payment of order ${order.id} of account ${order.accountId} is probably fraud: ` +
        `npm run cli -- orders show ${order.id}`,
    );
    return order;
  }
}

/** Charges of some payment methods are called payments. */
function isCharge(id: string): boolean {
  return id.startsWith('ch_') || id.startsWith('py_');
}
