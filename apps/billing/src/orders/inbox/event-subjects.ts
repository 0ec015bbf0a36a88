import { Injectable, Logger } from '@nestjs/common';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Cause } from '../order-transitions.js';
import { OrdersRepository } from '../orders.repository.js';
import { type EventSubject } from '../provider/read-event.js';
import { UnknownToProvider } from '../provider/stripe-client.js';
import { StripePayments } from '../provider/stripe-payments.js';

/** Brings the orders up to date that events are about. */
@Injectable()
export class EventSubjects {
  private readonly logger = new Logger(EventSubjects.name);

  constructor(
    private readonly refreshing: OrderRefresh,
    private readonly orders: OrdersRepository,
    private readonly stripe: StripePayments,
  ) {}

  /**
   * Refreshes the order of the subject. Resolves to whether it is one of ours: not when our key does not see it. Throws when Stripe
   * does not answer, and `UnknownToProvider` when it has lost an order of ours.
   */
  async refresh(subject: EventSubject, cause: Cause): Promise<boolean> {
    try {
      return (await this.orderOf(subject, cause)) !== null;
    } catch (error) {
      if (error instanceof UnknownToProvider && !(await this.isOurs(subject))) return false;
      throw error;
    }
  }

  private orderOf({ kind, id }: EventSubject, cause: Cause): Promise<Order | null> {
    switch (kind) {
      case 'session':
        return this.refreshing.refreshSession(id, cause);
      case 'payment':
        return this.refreshing.refreshPayment(id, cause);
      case 'fraud_warning':
        return this.recordFraudWarning(id, cause);
    }
  }

  /**
   * Card networks warn that a payment is probably fraud: most such payments become disputes unless they are refunded. Records the
   * warning of a payment intent, or of a charge, at its order, and reports it once to operators. The order is refreshed before: it
   * may have been refunded.
   */
  private async recordFraudWarning(paymentId: string, cause: Cause): Promise<Order | null> {
    const intent = isCharge(paymentId) ? await this.stripe.paymentOfCharge(paymentId) : paymentId;
    const order = intent === null ? null : await this.refreshing.refreshPayment(intent, cause);
    if (!order || !(await this.orders.warn(order.id))) return order;
    this.logger.error(
      `A card network warns that the payment of order ${order.id} of account ${order.accountId} is probably fraud: ` +
        `npm run cli -- orders show ${order.id}`,
    );
    return order;
  }

  private async isOurs({ kind, id }: EventSubject): Promise<boolean> {
    const order = kind === 'session' ? this.orders.findBySession(id) : this.orders.findByPayment(id);
    return (await order) !== null;
  }
}

/** Charges of some payment methods are called payments. */
function isCharge(id: string): boolean {
  return id.startsWith('ch_') || id.startsWith('py_');
}
