import { type Grants } from '@app/platform';

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
  idempotency_keys: 'SELECT, INSERT, UPDATE (scope, answered_at), DELETE',
  ledger_entries: 'SELECT, INSERT',
  lots: 'SELECT, INSERT',
  migrations: 'SELECT',
};
