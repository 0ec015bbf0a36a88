import { type OrderView } from '@app/contracts';
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
    state: order.state,
    ordered_at: order.orderedAt.toISOString(),
    granted_at: grantedAt?.toISOString() ?? null,
    // A lot is purchased at the instant of its grant.
    expires_at: grantedAt ? expiryOf(grantedAt).toISOString() : null,
    returned_cents: order.returnedCents,
    credits_taken_back: order.creditsTakenBack,
    credits_not_recovered: order.creditsNotRecovered,
  };
}
