import { type ImportReport } from '@app/contracts';
import { type Query } from '../database/query.js';

/** A creator that an earlier line of the same import had. */
export interface TakenSlug {
  readonly slug: string;
  readonly line: number;
  readonly first_line: number;
}

/** Rows that one statement deletes: small enough for the time limit of a session. */
const deletionBatch = 20_000;

/** Notes an import that may be known already. */
export async function beginImport(query: Query, importId: string): Promise<void> {
  await query('INSERT INTO imports (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [importId]);
}

/** Whether the turn of chunk `seq` has come, or is over. Takes no lock. */
export async function isDue(query: Query, importId: string, seq: number): Promise<boolean> {
  const rows = await query('SELECT FROM imports WHERE id = $1 AND next_seq >= $2', [importId, seq]);
  return rows.length > 0;
}

/** Locks the import until the end of the transaction; the chunk whose turn it is, `null` for a forgotten import. */
export async function lockNextSeq(query: Query, importId: string): Promise<number | null> {
  const [row] = await query<{ next_seq: number }>('SELECT next_seq FROM imports WHERE id = $1 FOR UPDATE', [
    importId,
  ]);
  return row?.next_seq ?? null;
}

/** What was stored for a chunk. A statement of its own after the lock, so that it sees what the lock waited for. */
export async function findReport(query: Query, importId: string, seq: number): Promise<ImportReport | null> {
  const [row] = await query<{ report: ImportReport }>(
    'SELECT report FROM import_chunks WHERE import_id = $1 AND seq = $2',
    [importId, seq],
  );
  return row?.report ?? null;
}

/**
 * Claims the slugs of the staged creators for their lines. Those that another line of the import has already are taken out
 * again; gives them with the line that has them.
 */
export async function claimSlugs(query: Query, importId: string): Promise<TakenSlug[]> {
  const [counts] = await query<{ staged: number; claimed: number }>(
    `WITH claimed AS (
       INSERT INTO import_slugs (import_id, slug, line) SELECT $1, slug, line FROM staged_creators
       ON CONFLICT (import_id, slug) DO NOTHING RETURNING 1
     )
     SELECT (SELECT count(*) FROM claimed)::integer AS claimed,
       (SELECT count(*) FROM staged_creators)::integer AS staged`,
    [importId],
  );
  if (counts?.claimed === counts?.staged) return [];
  return query<TakenSlug>(
    `WITH taken AS (
       DELETE FROM staged_creators AS staged USING import_slugs AS claim
       WHERE claim.import_id = $1 AND claim.slug = staged.slug AND claim.line <> staged.line
       RETURNING staged.slug, staged.line, claim.line AS first_line
     )
     SELECT slug, line, first_line FROM taken ORDER BY line`,
    [importId],
  );
}

/** Stores what came of a chunk and lets the next one have its turn. */
export async function endTurn(
  query: Query,
  importId: string,
  seq: number,
  report: ImportReport,
): Promise<void> {
  await query(
    `WITH reported AS (INSERT INTO import_chunks (import_id, seq, report) VALUES ($1, $2, $3))
     UPDATE imports SET next_seq = $2 + 1, touched_at = statement_timestamp() WHERE id = $1`,
    [importId, seq, JSON.stringify(report)],
  );
}

/** Forgets an import, after which none of its chunks claims anything, and its claims: in batches, there may be millions. */
export async function forgetImport(query: Query, importId: string): Promise<void> {
  await query('DELETE FROM imports WHERE id = $1', [importId]);
  await deleteInBatches(query, 'import_slugs', 'import_id = $1', [importId]);
}

/** Deletes the claims of imports whose replica ended before it could delete them. */
export async function forgetOrphanedClaims(query: Query): Promise<void> {
  const rows = await query<{ import_id: string }>(
    `SELECT DISTINCT import_id FROM import_slugs
     WHERE NOT EXISTS (SELECT FROM imports WHERE imports.id = import_slugs.import_id)`,
  );
  for (const { import_id } of rows) await forgetImport(query, import_id);
}

/** Imports that nobody has continued for an hour. */
export async function findAbandoned(query: Query): Promise<string[]> {
  const rows = await query<{ id: string }>(
    "SELECT id FROM imports WHERE touched_at < clock_timestamp() - interval '1 hour' ORDER BY touched_at",
  );
  return rows.map(({ id }) => id);
}

/**
 * Forgets deletions older than a week; whoever follows the revisions and is further behind starts afresh, so it is noted
 * first how far that is.
 */
export async function forgetOldDeletions(query: Query): Promise<void> {
  const old = "deleted_at < statement_timestamp() - interval '7 days'";
  await query(
    `UPDATE catalog_state SET forgotten_revision = forgotten.revision
     FROM (SELECT max(revision) AS revision FROM creator_deletions WHERE ${old}) AS forgotten
     WHERE forgotten.revision > forgotten_revision`,
  );
  await deleteInBatches(query, 'creator_deletions', old, []);
}

/** Rows that another replica is deleting at the same moment are left to it. */
async function deleteInBatches(
  query: Query,
  table: 'import_slugs' | 'creator_deletions',
  condition: string,
  parameters: unknown[],
): Promise<void> {
  const sql = `
    WITH batch AS (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${deletionBatch} FOR UPDATE SKIP LOCKED),
      deleted AS (DELETE FROM ${table} WHERE ctid IN (SELECT ctid FROM batch) RETURNING 1)
    SELECT count(*)::integer AS deleted FROM deleted`;
  for (;;) {
    const [row] = await query<{ deleted: number }>(sql, parameters);
    if (!row || row.deleted < deletionBatch) return;
  }
}
