import { type ResolveOrderRequest, ServiceError } from '@app/contracts';
import { type RemainingMs } from '@app/platform/database';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { OverdueCharges } from '../ledger/charges/overdue-charges.js';
import { type Order } from './order.entity.js';
import { OrderTransitions } from './order-transitions.js';
import { OrdersRepository } from './orders.repository.js';

/** What was refunded came back: which payment, if any, is still to be refunded, only the operator can tell. */
export const endedWithoutCredits =
  'This order has ended without credits: give back what is left in the Stripe Dashboard, then resolve it as refunded.';

/** Operators decide about orders whose payment is not what was ordered, or that were paid twice. */
@Injectable()
export class OrderReviews {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly overdue: OverdueCharges,
    private readonly transitions: OrderTransitions,
  ) {}

  /**
   * Ends the review of an order. One that is in review is granted, as if it had been paid as ordered, or ends without
   * credits; one that was granted or refunded stays so. Returns the order as it is then, also when the same was decided before.
   * No money moves. Throws `not_found`, and `conflict` for an order without an open problem.
   */
  async resolve({ order_id, resolution }: ResolveOrderRequest, remainingMs?: RemainingMs): Promise<Order> {
    const order = await this.orders.find(order_id);
    if (!order) throw new ServiceError('not_found', 'There is no order with this id.');
    const end = (locked: LockedAccounts) => this.end(locked, order_id, resolution);
    return this.overdue.runWithAllVoided(order.accountId, end, { remainingMs });
  }

  private async end(
    locked: LockedAccounts,
    orderId: string,
    resolution: ResolveOrderRequest['resolution'],
  ): Promise<Order> {
    const order = await this.orders.required(orderId, locked);
    const { problem, problemSessions, state, returnedCents } = order;
    if (problem !== null && order.resolution === resolution) return order;
    if (problem === null || order.resolution !== null) {
      throw new ServiceError('conflict', whyClosed(order));
    }
    if (state === 'refunded' && resolution === 'granted') {
      throw new ServiceError('conflict', endedWithoutCredits);
    }
    return this.transitions.make(locked, order, {
      state: state === 'in_review' ? resolution : state,
      isGranted: state === 'in_review' && resolution === 'granted',
      returnedCents,
      review: { problem, problemSessions, resolution },
      cause: 'operator',
    });
  }
}

function whyClosed({ problem, resolution }: Order): string {
  return problem === null
    ? 'There is nothing to decide about this order.'
    : `This order was resolved already, as ${resolution ?? 'open'}.`;
}
