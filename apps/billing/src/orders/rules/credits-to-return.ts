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
  readonly creditsTakenBack: number;
}

/** The lot of the order. */
export interface ReturnedLot {
  readonly remaining: number;
  readonly isExpired: boolean;
}

export interface ReturnPlan {
  /** Added to the lot: negative takes credits back, positive gives back what was taken. */
  readonly change: number;
  readonly creditsTakenBack: number;
  readonly creditsNotRecovered: number;
}

/** The credits for which the buyer has the money back: whole credits only, rounded in the buyer's favour. */
export function creditsOwed(order: Omit<ReturnedOrder, 'creditsTakenBack'>): number {
  return order.paidCents === 0 ? 0 : Math.floor((order.credits * order.returnedCents) / order.paidCents);
}

/**
 * Takes what is owed from the order's own lot, as far as credits are left there, or gives back what was taken when money
 * has come back. Nothing changes in an expired lot: its credits are gone for both sides.
 */
export function planReturn(order: ReturnedOrder, { remaining, isExpired }: ReturnedLot): ReturnPlan {
  const missing = creditsOwed(order) - order.creditsTakenBack;
  const taken = isExpired ? 0 : Math.min(missing, remaining);
  return {
    // Not -0, which is no number of credits.
    change: taken === 0 ? 0 : -taken,
    creditsTakenBack: order.creditsTakenBack + taken,
    creditsNotRecovered: Math.max(0, missing - taken),
  };
}
