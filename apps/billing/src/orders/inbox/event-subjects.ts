import { Injectable } from '@nestjs/common';
import { FraudWarnings } from '../operators/fraud-warnings.js';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Cause } from '../order-transitions.js';
import { OrdersRepository } from '../orders.repository.js';
import { type EventSubject } from '../provider/read-event.js';
import { UnknownToProvider } from '../provider/stripe-client.js';

/** What is done about each kind of subject. */
@Injectable()
export class EventSubjects {
  constructor(
    private readonly refreshing: OrderRefresh,
    private readonly orders: OrdersRepository,
    private readonly warnings: FraudWarnings,
  ) {}

  /**
   * Makes the order of the subject as Stripe says it is. Resolves to whether it is of one of ours: not when our key does not see
   * it. Throws when Stripe does not answer, and `UnknownToProvider` when it has lost an order of ours.
   */
  async look(subject: EventSubject, cause: Cause): Promise<boolean> {
    try {
      return (await this.refresh(subject, cause)) !== null;
    } catch (error) {
      if (error instanceof UnknownToProvider && !(await this.isOurs(subject))) return false;
      throw error;
    }
  }

  private refresh({ kind, id }: EventSubject, cause: Cause): Promise<Order | null> {
    switch (kind) {
      case 'session':
        return this.refreshing.refreshSession(id, cause);
      case 'payment':
        return this.refreshing.refreshPayment(id, cause);
      // What is warned of may have been refunded or disputed by now.
      case 'fraud_warning':
        return this.warnings.take(id, cause);
    }
  }

  private async isOurs({ kind, id }: EventSubject): Promise<boolean> {
    const order = kind === 'session' ? this.orders.findBySession(id) : this.orders.findByPayment(id);
    return (await order) !== null;
  }
}
