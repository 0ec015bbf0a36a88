import { counter } from '#platform';
import { Injectable } from '@nestjs/common';
import { type LockedAccounts } from '../database/account-transactions.js';
import { expiryOf, LotsRepository } from '../ledger/lots/lots.repository.js';
import { NoticesService } from '../notices/notices.service.js';
import { lotReference } from '../credits/references.js';
import { type Order } from './order.entity.js';
import { type OrderChanges, OrdersRepository } from './orders.repository.js';
import { ReturnedCredits } from './returned-credits.js';
import { type PaidOrder } from './rules/apply-payment-state.js';
import { type Review } from './rules/review.js';

/** What made an order change. */
export type Cause = 'event' | 'return_page' | 'reconciliation' | 'operator';

const reached = counter('orders_reached_total', 'Orders that reached a state, and through what.', [
  'state',
  'cause',
]);

/** The new state of an order, and what else is stored with it. */
export interface Transition extends Pick<PaidOrder, 'state' | 'isGranted' | 'returnedCents' | 'review'> {
  readonly cause: Cause;
  readonly changes?: OrderChanges;
}

/** Changes the state of an order, under the lock of its account and in one transaction. The only place that grants credits. */
@Injectable()
export class OrderTransitions {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly lots: LotsRepository,
    private readonly returned: ReturnedCredits,
    private readonly notices: NoticesService,
  ) {}

  /** Overdue charges of the account must have been voided. Returns the order as it is then. */
  async make(locked: LockedAccounts, order: Order, transition: Transition): Promise<Order> {
    const { state, isGranted, returnedCents, review, cause, changes } = transition;
    const paid = { ...order, ...changes };
    const grant = isGranted ? await this.grant(locked, paid) : null;
    const lotId = grant?.lotId ?? order.lotId;
    // A granted order gives credits back with the money, in one statement.
    const knownCents = isGranted ? 0 : order.returnedCents;
    await this.orders.change(locked, order.id, {
      state,
      ...changes,
      ...grant,
      ...reviewed(order, review, locked.now),
      returnedCents: lotId === null ? returnedCents : knownCents,
    });
    if (lotId !== null && returnedCents !== knownCents) {
      await this.returned.settle(locked, { ...paid, lotId, returnedCents });
    }
    if (state !== order.state) locked.onCommit(() => reached.inc({ state, cause }));
    return this.orders.required(order.id, locked);
  }

  /** What was paid is never refused, however many credits the account has. The receipt is written in the same transaction. */
  private async grant(locked: LockedAccounts, order: Order): Promise<Pick<Order, 'lotId' | 'grantedAt'>> {
    const { id: orderId, accountId, pack, credits, priceCents, totalCents, taxCents } = order;
    const [reference, purchasedAt] = [lotReference(orderId), locked.now];
    const lot = { accountId, pack, credits, priceCents, reference, purchasedAt };
    const lotId = await this.lots.insertPurchased(locked, lot);
    await this.notices.packAdded(locked, accountId, credits);
    await this.notices.paymentReceived(locked, accountId, {
      ...{ order_id: orderId, pack, credits, price_cents: priceCents },
      ...{ total_cents: totalCents, tax_cents: taxCents, expires_at: expiryOf(purchasedAt).toISOString() },
    });
    return { lotId, grantedAt: purchasedAt };
  }
}

/** The columns of a review that has changed. */
export function reviewed(
  before: Review,
  { problem, problemSessions, resolution }: Review,
  now: Date,
): Pick<OrderChanges, 'problem' | 'problemAt' | 'problemSessions' | 'resolution' | 'resolvedAt'> {
  if (problem !== before.problem || (resolution === null && before.resolution !== null)) {
    return { problem, problemAt: now, problemSessions, resolution, resolvedAt: resolution && now };
  }
  return resolution === before.resolution ? {} : { resolution, resolvedAt: now };
}
