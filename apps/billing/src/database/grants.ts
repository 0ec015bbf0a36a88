import { type Grants } from '#platform/database';

/**
 * Billing's privileges at run time, table by table. The migration job grants them to RUNTIME_ROLE, and the tests of
 * this service run with them: a statement that needs more fails there. Only the owner may change written ledger
 * entries, or the tables and functions themselves. Only the trigger on entries changes what lots hold.
 */
export const grants: Grants = {
  // Only old ones are deleted.
  abandoned_calls: 'SELECT, INSERT, UPDATE (free, paid, paid_until), DELETE',
  // An account is locked by FOR NO KEY UPDATE, which requires UPDATE on some column. One that anything refers to can't be deleted.
  accounts:
    'SELECT, INSERT, UPDATE (closed_at, created_at, email, name, next_check_at, signed_up_from, suspended_at, suspension_reason, stripe_customer_id), DELETE',
  adjustments: 'SELECT, INSERT',
  // Only texts of erased people are replaced, which a trigger checks.
  admin_log: 'SELECT, INSERT, UPDATE (subject, before, after, erased_at)',
  admin_tokens: 'SELECT, INSERT, UPDATE (last_used_at, withdrawn_at)',
  agreements: 'SELECT, INSERT, UPDATE (grants, next_due_at, ended_at)',
  // A new secret replaces the hash of one whose reply was lost, or that is rotated out. A key that charges name can't be deleted.
  api_keys:
    'SELECT, INSERT, UPDATE (name, active, expires_at, monthly_limit, spent, spent_since, hash, prefix, previous_hash, previous_prefix, previous_valid_until, rotated_at, deleted_at, is_kept), DELETE',
  audit_checkpoints: 'SELECT, INSERT, UPDATE (credits), DELETE',
  // Only old ones are deleted.
  audits: 'SELECT, INSERT, DELETE',
  charge_tombstones: 'SELECT, INSERT, DELETE',
  // Only charges without entries can be deleted: refused ones, and those of 0 credits.
  charges: 'SELECT, INSERT, UPDATE (state, void_reason, is_abandoned, settled_at), DELETE',
  // Those of an erased person are deleted.
  deliveries: 'SELECT, INSERT, UPDATE (state, attempts, next_attempt_at, attempt_until, problem), DELETE',
  free_calls: 'SELECT, INSERT, UPDATE (calls, last_at), DELETE',
  idempotency_keys: 'SELECT, INSERT, UPDATE (scope, answered_at), DELETE',
  // Forgotten by operators, and with their person.
  identities: 'SELECT, INSERT, UPDATE (last_used_at), DELETE',
  // Only old ones are deleted, and those of an unused account, like its settings.
  invitations: 'SELECT, INSERT, UPDATE (ended_at), DELETE',
  // Written by the archive job, as the owner.
  ledger_archives: 'SELECT',
  ledger_entries: 'SELECT, INSERT',
  lot_refunds: 'SELECT, INSERT, UPDATE (credits_taken_back, credits_not_recovered)',
  lots: 'SELECT, INSERT, UPDATE (is_open)',
  members: 'SELECT, INSERT, UPDATE (role, last_seen_at), DELETE',
  migrations: 'SELECT',
  notice_settings: 'SELECT, INSERT, UPDATE, DELETE',
  // Their deliveries are deleted with them.
  notices: 'SELECT, INSERT, DELETE',
  // What an event is about never changes.
  payment_events:
    'SELECT, INSERT, UPDATE (state, attempts, received_at, next_attempt_at, attempt_until, ended_at, problem), DELETE',
  // A person to whom a row of another table refers can't be deleted.
  // The address of an erased one becomes a pseudonym; others can change theirs.
  people: 'SELECT, INSERT, UPDATE (email_folded, next_check_at), DELETE',
  reconciliation_cursor: 'SELECT, UPDATE (key_hash, read_until)',
  sessions: 'SELECT, INSERT, UPDATE (account_id, last_seen_at, expires_at), DELETE',
  sign_ins: 'SELECT, INSERT, UPDATE (attempts, used_at), DELETE',
  // What was ordered, and by whom, never changes. One that was never paid is deleted in the end.
  orders:
    'SELECT, INSERT, UPDATE (state, checkout_session_id, payment_intent_id, lot_id, granted_at, returned_cents, credits_taken_back, credits_not_recovered, refreshes, refresh_applied, checked_at, checkout_url, receipt_url, viewed_at, subtotal_cents, discount_cents, tax_cents, total_cents, answered_at, checkout_attempts, returns_pending, problem, problem_at, resolution, resolved_at, problem_sessions, refund_attempts, is_dispute_lost, accepted_at, invoice_number, invoice_pending), DELETE',
};
