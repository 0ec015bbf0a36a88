import { type Grants } from '#platform/database';

/**
 * The catalog's privileges at run time, table by table. The migration job grants them to RUNTIME_ROLE, and the tests of
 * this service run with them: a statement that needs more fails there. An import also creates a temporary table, which
 * needs a privilege on the database, granted by the creator of the role.
 */
export const grants: Grants = {
  account_counts: 'SELECT, INSERT, UPDATE (followers), DELETE',
  // Only texts of erased people are replaced, which a trigger checks.
  admin_log: 'SELECT, INSERT, UPDATE (subject, before, after, erased_at)',
  catalog_state: 'SELECT, UPDATE (revision, forgotten_revision, removals)',
  creator_accounts: 'SELECT, INSERT, DELETE',
  creator_aliases: 'SELECT, INSERT, DELETE',
  // Deleting in batches uses FOR UPDATE, which requires UPDATE on some column.
  creator_deletions: 'SELECT, INSERT, UPDATE, DELETE',
  creators: 'SELECT, INSERT, UPDATE, DELETE',
  import_changes: 'SELECT, INSERT, DELETE',
  import_chunks: 'SELECT, INSERT, DELETE',
  import_claims: 'SELECT, INSERT, UPDATE (slug, line, creator), DELETE',
  imports: 'SELECT, INSERT, UPDATE, DELETE',
  migrations: 'SELECT',
  removal_keys: 'SELECT, INSERT, DELETE',
  removals: 'SELECT, INSERT, DELETE',
};
