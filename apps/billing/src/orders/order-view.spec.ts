import { isChecked } from './order-view.js';
import { type Order } from './order.entity.js';

const answeredAt = new Date('2026-03-01T12:00:00Z');
const later = (ms: number): Date => new Date(answeredAt.getTime() + ms);
const unpaid = { state: 'open', checkoutSessionId: 'cs_1', answeredAt } as Order;

it('an answer of Stripe about an unpaid order is the present for 15 seconds', () => {
  for (const state of ['open', 'processing'] as const) {
    expect([15_000, 15_001].map((ms) => isChecked({ ...unpaid, state }, later(ms)))).toEqual([true, false]);
  }
  expect(isChecked({ ...unpaid, answeredAt: null }, answeredAt)).toBe(false);
});

it('an order that has ended, and one without a page to pay on, need no answer', () => {
  const hourLater = later(3_600_000);
  for (const state of ['in_review', 'granted', 'refunded', 'expired', 'failed'] as const) {
    expect(isChecked({ ...unpaid, state }, hourLater)).toBe(true);
  }
  expect(isChecked({ ...unpaid, checkoutSessionId: null }, hourLater)).toBe(true);
});
