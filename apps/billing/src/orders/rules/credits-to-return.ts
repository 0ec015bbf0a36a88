/** What was paid for an order: its price, until tax and discounts are known. */
export function paidCents({ priceCents, totalCents }: OrderPrice): number {
  return totalCents ?? priceCents;
}

interface OrderPrice {
  readonly priceCents: number;
  readonly totalCents: number | null;
}

/** What an order has cost and what has gone back of it. */
export interface ReturnedOrder {
  readonly credits: number;
  /** With tax and discounts. */
  readonly paidCents: number;
  /** 0 to what was paid. */
  readonly returnedCents: number;
}

/** The credits for which the buyer has the money back: whole credits only, rounded in the buyer's favour. */
export function creditsOwed(order: ReturnedOrder): number {
  return order.paidCents === 0 ? 0 : Math.floor((order.credits * order.returnedCents) / order.paidCents);
}
