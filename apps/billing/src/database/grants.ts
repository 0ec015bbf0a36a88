import { type Grants } from '@app/platform/database';

/**
 * Billing's privileges at run time, table by table. The migration job grants them to RUNTIME_ROLE, and the tests of
 * this service run with them: a statement that needs more fails there. Only the owner may change written ledger
 * entries, or the tables and functions themselves. Only the trigger on entries changes lots.
 */
export const grants: Grants = {
  // An account is locked by FOR NO KEY UPDATE, which requires UPDATE on some column.
  accounts: 'SELECT, INSERT, UPDATE (created_at)',
  adjustments: 'SELECT, INSERT',
  agreements: 'SELECT, INSERT, UPDATE (grants, next_due_at, ended_at)',
  // A new secret replaces the hash of one whose reply was lost.
  api_keys: 'SELECT, INSERT, UPDATE (name, active, hash, prefix, deleted_at)',
  charge_tombstones: 'SELECT, INSERT, DELETE',
  // Only charges without entries can be deleted: refused ones, and those of 0 credits.
  charges: 'SELECT, INSERT, UPDATE (state, void_reason, settled_at), DELETE',
  deliveries: 'SELECT, INSERT, UPDATE (state, attempts, next_attempt_at, problem)',
  idempotency_keys: 'SELECT, INSERT, UPDATE (scope, answered_at), DELETE',
  ledger_entries: 'SELECT, INSERT',
  lots: 'SELECT, INSERT',
  members: 'SELECT, INSERT, UPDATE (role, last_seen_at), DELETE',
  migrations: 'SELECT',
  notice_settings: 'SELECT, INSERT, UPDATE',
  // Their deliveries are deleted with them.
  notices: 'SELECT, INSERT, DELETE',
  people: 'SELECT, INSERT',
  sessions: 'SELECT, INSERT, UPDATE (account_id, last_seen_at, expires_at), DELETE',
  sign_ins: 'SELECT, INSERT, UPDATE (attempts, used_at), DELETE',
  // What was ordered, and by whom, never changes.
  orders:
    'SELECT, INSERT, UPDATE (state, checkout_session_id, checkout_expires_at, payment_intent_id, lot_id, granted_at, returned_cents, credits_taken_back, credits_not_recovered, refreshes, refresh_applied, checked_at)',
};
