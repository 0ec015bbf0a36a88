import { type OrderState, type OrderView, type PaidAmounts } from '@app/contracts';
import { expiryOf } from '../ledger/lots/lots.repository.js';
import { type Order } from './order.entity.js';

/** An order as its account sees it. */
export function toOrderView(order: Order): OrderView {
  const { grantedAt } = order;
  return {
    id: order.id,
    pack: order.pack,
    credits: order.credits,
    price_cents: order.priceCents,
    state: shownState(order),
    paid: paidAmounts(order),
    ordered_at: order.orderedAt.toISOString(),
    granted_at: grantedAt?.toISOString() ?? null,
    // A lot is purchased at the instant of its grant.
    expires_at: grantedAt ? expiryOf(grantedAt).toISOString() : null,
    receipt_url: order.receiptUrl,
    returned_cents: order.returnedCents,
    credits_taken_back: order.creditsTakenBack,
    credits_not_recovered: order.creditsNotRecovered,
  };
}

/**
 * An order whose time to pay was over when Stripe was last due to be asked is shown as expired, also when Stripe has not said so:
 * it may have no such session any more, as the stand-in after a restart. It is asked about all the same.
 */
function shownState({ state, checkoutExpiresAt, checkedAt }: Order): OrderState {
  return state === 'open' && checkoutExpiresAt !== null && checkoutExpiresAt <= checkedAt ? 'expired' : state;
}

function paidAmounts({ subtotalCents, discountCents, taxCents, totalCents }: Order): PaidAmounts | null {
  if (subtotalCents === null || discountCents === null || taxCents === null || totalCents === null)
    return null;
  return {
    subtotal_cents: subtotalCents,
    discount_cents: discountCents,
    tax_cents: taxCents,
    total_cents: totalCents,
  };
}
