import { type Order } from '../order.entity.js';

/** What was paid for an order, with tax and discounts: its price, until they are known. */
export function paidCents({ priceCents, totalCents }: Pick<Order, 'priceCents' | 'totalCents'>): number {
  return totalCents ?? priceCents;
}

/** An order and the money that was returned, 0 to what was paid. */
export type ReturnedOrder = Pick<Order, 'credits' | 'priceCents' | 'totalCents' | 'returnedCents'>;

/** The credits whose price was returned: whole credits only, rounded in the buyer's favour. */
export function creditsOwed(order: ReturnedOrder): number {
  const paid = paidCents(order);
  return paid === 0 ? 0 : Math.floor((order.credits * order.returnedCents) / paid);
}
