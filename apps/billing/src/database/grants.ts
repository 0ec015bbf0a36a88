import { type Grants } from '@app/platform';

/**
 * All that billing may do while it runs, table by table. The migration job grants it to RUNTIME_ROLE, and the tests of
 * this service run with it: a statement that needs more fails there. Only the owner may change what is written in the
 * ledger, or the tables and functions themselves. A lot is changed by the trigger of its entries alone.
 */
export const grants: Grants = {
  // An account is locked by FOR NO KEY UPDATE, which takes the right to update some column.
  accounts: 'SELECT, INSERT, UPDATE (created_at)',
  adjustments: 'SELECT, INSERT',
  agreements: 'SELECT, INSERT, UPDATE (grants, next_due_at, ended_at)',
  // A new secret replaces the hash of one whose answer was lost.
  api_keys: 'SELECT, INSERT, UPDATE (name, active, hash, prefix, deleted_at)',
  charge_tombstones: 'SELECT, INSERT, DELETE',
  // Only charges that no entry names can be deleted: those that were refused, and those of nothing.
  charges: 'SELECT, INSERT, UPDATE (state, void_reason, settled_at), DELETE',
  idempotency_keys: 'SELECT, INSERT, UPDATE (scope, answered_at), DELETE',
  ledger_entries: 'SELECT, INSERT',
  lots: 'SELECT, INSERT',
  migrations: 'SELECT',
};
