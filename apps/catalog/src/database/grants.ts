import { type Grants } from '@app/platform';

/**
 * All that the catalog may do while it runs, table by table. The migration job grants it to RUNTIME_ROLE, and the tests of
 * this service run with it: a statement that needs more fails there. An import also makes a temporary table, which is a
 * right on the database and belongs to whoever makes the role.
 */
export const grants: Grants = {
  catalog_state: 'SELECT, UPDATE (revision, forgotten_revision)',
  // FOR UPDATE, which deleting in batches begins with, takes the right to update some column.
  creator_deletions: 'SELECT, INSERT, UPDATE, DELETE',
  creators: 'SELECT, INSERT, UPDATE, DELETE',
  import_chunks: 'SELECT, INSERT',
  import_slugs: 'SELECT, INSERT, UPDATE (line), DELETE',
  imports: 'SELECT, INSERT, UPDATE (next_seq, touched_at), DELETE',
  migrations: 'SELECT',
};
