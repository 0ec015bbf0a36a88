import { type OrderReview, type Removal } from '#contracts';

export const account_id = '0198c0de-0000-7000-8000-000000000001';
export const key_id = '0198c0de-0000-7000-8000-000000000002';
export const order_id = '0198c0de-0000-7000-8000-000000000003';
export const lot_id = '0198c0de-0000-7000-8000-000000000004';
export const at = '2026-01-31T12:00:00.000Z';
export const email = 'a@b.example';
export const accountView = { id: account_id, name: 'Acme', email, created_at: at, credits_remaining: 0 };
export const keyView = {
  id: key_id,
  name: 'tool',
  prefix: 'csk_abcdef',
  active: true,
  expires_at: null,
  monthly_limit: null,
  rotated_at: null,
  created_at: at,
  last_used_at: null,
  created_by: null,
};

export const lot = {
  id: key_id,
  pack: 'trial',
  credits: 50,
  remaining: 50,
  price_cents: 1_900,
  purchased_at: at,
  expires_at: '2026-03-02T12:00:00.000Z',
  reference: 'payment 42',
  refund: null,
} as const;
export const lotRefund = { reason: 'ordered by mistake', reference: 'credit note 7' };
export const refundedLot = {
  ...lot,
  remaining: 0,
  refund: { ...lotRefund, at, credits_taken_back: 40, credits_not_recovered: 10 },
};
export const enterprise = { credits: 10_000, price_cents: 180_000 };
export const agreement = { id: key_id, ...enterprise, starts_at: at, next_due_at: null, ended_at: null };
export const goodwill = { credits: 5, reason: 'sorry', reference: 'r' };
export const correction = { credits: -5, reason: 'sorry', reference: 'r' };
export const adjustment = { id: key_id, ...goodwill, at, lot };
export const record = { name: 'Ada', country: 'Norway', languages: [], categories: ['art'], platforms: [] };
export const creator = {
  ...record,
  slug: 'ada',
  url: 'https://site.example/creators/ada',
  tagline: '',
  verified: false,
  published: true,
  total_reach: 0,
};
export const removal: Removal = {
  id: '0198c0de-0000-7000-8000-000000000004',
  removed_at: at,
  reference: 'request of 2026-01-31',
  note: null,
  deleted: { creators: 1, fields: ['slug', 'name'], accounts: 0 },
  kept_out: [{ by: 'slug', hash: 'a1'.repeat(32) }],
  digest: 'b2'.repeat(32),
};
export const order: OrderReview = {
  id: order_id,
  pack: 'builder',
  credits: 500,
  price_cents: 14_900,
  state: 'in_review',
  is_checked: true,
  paid: null,
  invoice: null,
  ordered_at: at,
  granted_at: null,
  expires_at: null,
  receipt_url: null,
  returned_cents: 0,
  credits_taken_back: 0,
  credits_not_recovered: 0,
  account: { id: account_id, name: 'Acme', email },
  person: { id: account_id, email: null },
  checkout_session_id: 'cs_1',
  payment_intent_id: 'pi_1',
  answered_at: at,
  returns_pending: false,
  problem: 'it was paid in eur',
  problem_at: at,
  resolution: null,
  resolved_at: null,
  is_dispute_lost: false,
  accepted_at: null,
  credits_left: null,
  concerns: ['problem'],
  actions: ['grant', 'mark_refunded', 'refund'],
};
