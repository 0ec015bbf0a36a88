import { type IndexedState } from '#creator-index';
import { type Query } from '#platform/database';

/**
 * Hand-written: while the writer of a revision still commits on servers of a distributed catalog, its number is locked; its revision is
 * visible before its creators are.
 */
const settledSql = `
  SELECT catalog_id, (revision - EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'transactionid' AND transactionid = catalog_state.xmin
  )::integer)::float8 AS revision
  FROM catalog_state`;

/** The latest state of the catalog in which all creators are visible: what is counted after this is at least as new. */
export async function readSettledState(query: Query): Promise<IndexedState> {
  const [row] = await query<{ catalog_id: string; revision: number }>('read settled state', settledSql);
  if (!row) throw new Error('catalog_state has no row');
  return { catalogId: row.catalog_id, revision: row.revision };
}
