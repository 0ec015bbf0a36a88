/** After this long, only an operator refunds an order. */
export const refundableForMs = 24 * 3_600_000;

/** What decides whether a buyer may have the money of an order back. */
export interface RefundableOrder {
  readonly credits: number;
  /** `null`: it has no credits. */
  readonly grantedAt: Date | null;
  readonly returnedCents: number;
  /** Whether an operator could refund its payment now. */
  readonly isRefundable: boolean;
}

/** The instant from which it is too late; `null`: it can't be refunded by its buyer at all. */
export function refundableUntil({ grantedAt, returnedCents, isRefundable }: RefundableOrder): Date | null {
  if (grantedAt === null || !isRefundable || returnedCents > 0) return null;
  return new Date(grantedAt.getTime() + refundableForMs);
}

/** Why the buyer can't have the money back, as a sentence for them; `null`: they can. `remaining`: of the lot of the order. */
export function refusalOfRefund(order: RefundableOrder, remaining: number, now: Date): string | null {
  const until = refundableUntil(order);
  if (until === null) return 'This order has no payment that can be refunded here.';
  if (now >= until) return 'Unused credits can be refunded here within 24 hours of the purchase.';
  if (remaining < order.credits) {
    return 'Credits of this order were used, or are held by a call in progress, so it was not refunded.';
  }
  return null;
}
