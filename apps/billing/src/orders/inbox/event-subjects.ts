import { Injectable } from '@nestjs/common';
import { type Order } from '../order.entity.js';
import { OrderRefresh } from '../order-refresh.js';
import { type Cause } from '../order-transitions.js';
import { OrdersRepository } from '../orders.repository.js';
import { type EventSubject } from '../provider/read-event.js';
import { UnknownToProvider } from '../provider/stripe-client.js';

/** Brings the orders up to date that events are about. */
@Injectable()
export class EventSubjects {
  constructor(
    private readonly refreshing: OrderRefresh,
    private readonly orders: OrdersRepository,
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
    return kind === 'session'
      ? this.refreshing.refreshSession(id, cause)
      : this.refreshing.refreshPayment(id, cause);
  }

  private async isOurs({ kind, id }: EventSubject): Promise<boolean> {
    const order = kind === 'session' ? this.orders.findBySession(id) : this.orders.findByPayment(id);
    return (await order) !== null;
  }
}
