import { type OrderView, type PaidAmounts } from '#contracts';
import { expiryOf } from '../ledger/lots/lots.repository.js';
import { type Order } from './order.entity.js';

/** How long a response of Stripe about an unpaid order counts as current. */
const freshMs = 15_000;

/** An order as its account sees it at this instant. */
export function toOrderView(order: Order, now: Date): OrderView {
  const { grantedAt } = order;
  return {
    id: order.id,
    pack: order.pack,
    credits: order.credits,
    price_cents: order.priceCents,
    state: order.state,
    is_checked: isChecked(order, now),
    paid: paidAmounts(order),
    ordered_at: order.orderedAt.toISOString(),
    granted_at: grantedAt?.toISOString() ?? null,
    // A lot is purchased at the instant of its grant.
    expires_at: grantedAt ? expiryOf(grantedAt).toISOString() : null,
    receipt_url: order.receiptUrl,
    invoice: order.invoiceNumber !== null || order.invoicePending ? { number: order.invoiceNumber } : null,
    returned_cents: order.returnedCents,
    credits_taken_back: order.creditsTakenBack,
    credits_not_recovered: order.creditsNotRecovered,
  };
}

/** Whether the state is certain: the order has ended, Stripe has just said so, or the buyer was never shown where to pay. */
export function isChecked({ state, checkoutSessionId, answeredAt }: Order, now: Date): boolean {
  if ((state !== 'open' && state !== 'processing') || checkoutSessionId === null) return true;
  return answeredAt !== null && now.getTime() - answeredAt.getTime() <= freshMs;
}

function paidAmounts({ subtotalCents, discountCents, taxCents, totalCents }: Order): PaidAmounts | null {
  if (subtotalCents === null || discountCents === null || taxCents === null || totalCents === null) {
    return null;
  }
  return {
    subtotal_cents: subtotalCents,
    discount_cents: discountCents,
    tax_cents: taxCents,
    total_cents: totalCents,
  };
}
