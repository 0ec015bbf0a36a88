/** What was paid for an order: its price, until tax and discounts are known. */
export function paidCents({ priceCents, totalCents }: OrderPrice): number {
  return totalCents ?? priceCents;
}

interface OrderPrice {
  readonly priceCents: number;
  readonly totalCents: number | null;
}

/** The price of an order and the money that was returned. */
export interface ReturnedOrder {
  readonly credits: number;
  /** With tax and discounts. */
  readonly paidCents: number;
  /** 0 to what was paid. */
  readonly returnedCents: number;
}

/** The credits whose price was returned: whole credits only, rounded in the buyer's favour. */
export function creditsOwed(order: ReturnedOrder): number {
  return order.paidCents === 0 ? 0 : Math.floor((order.credits * order.returnedCents) / order.paidCents);
}
