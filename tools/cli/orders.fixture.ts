import { type OrderReview } from '#contracts';

const at = '2026-01-31T12:00:00.000Z';

/** A granted order that was refunded after some of its credits were spent. */
export const refundedOrder: OrderReview = {
  id: '0198c0de-0000-7000-8000-000000000009',
  pack: 'builder',
  credits: 500,
  price_cents: 14_900,
  state: 'granted',
  is_checked: true,
  paid: { subtotal_cents: 14_900, discount_cents: 0, tax_cents: 2_831, total_cents: 17_731 },
  ordered_at: at,
  granted_at: at,
  expires_at: '2026-03-02T12:00:00.000Z',
  receipt_url: 'https://pay.example/receipt',
  invoice: { number: 'A-0042' },
  returned_cents: 17_731,
  credits_taken_back: 480,
  credits_not_recovered: 20,
  account: { id: '0198c0de-0000-7000-8000-000000000001', name: 'Acme', email: 'ops@acme.example' },
  person: { id: '0198c0de-0000-7000-8000-000000000004', email: 'ada@acme.example' },
  checkout_session_id: 'cs_1',
  payment_intent_id: 'pi_1',
  answered_at: at,
  returns_pending: false,
  problem: null,
  problem_at: null,
  resolution: null,
  resolved_at: null,
  is_dispute_lost: false,
  accepted_at: null,
  credits_left: 0,
  concerns: ['not_recovered'],
  actions: ['accept'],
};
