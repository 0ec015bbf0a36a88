import { type ImportReport } from '@app/contracts';
import { type Query } from '../database/query.js';

interface Claim {
  readonly line: number;
  readonly slug: string;
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

/** Claims the slugs of a chunk; gives the line that had a slug before, for those that were claimed already. */
export async function claimSlugs(
  query: Query,
  importId: string,
  claims: readonly Claim[],
): Promise<Map<string, number>> {
  const slugs = claims.map(({ slug }) => slug);
  const taken = await query<Claim>(
    'SELECT slug, line FROM import_slugs WHERE import_id = $1 AND slug = ANY($2::text[])',
    [importId, slugs],
  );
  await query(
    `INSERT INTO import_slugs (import_id, slug, line)
     SELECT $1, slug, line FROM unnest($2::text[], $3::integer[]) AS claim (slug, line)
     ON CONFLICT (import_id, slug) DO NOTHING`,
    [importId, slugs, claims.map(({ line }) => line)],
  );
  return new Map(taken.map(({ slug, line }) => [slug, line]));
}

/** Stores what came of a chunk and lets the next one have its turn. */
export async function endTurn(
  query: Query,
  importId: string,
  seq: number,
  report: ImportReport,
): Promise<void> {
  await query('INSERT INTO import_chunks (import_id, seq, report) VALUES ($1, $2, $3)', [
    importId,
    seq,
    JSON.stringify(report),
  ]);
  await query('UPDATE imports SET next_seq = $2, touched_at = clock_timestamp() WHERE id = $1', [
    importId,
    seq + 1,
  ]);
}

/** Forgets an import: its slugs in batches, because there may be millions, then the rest. */
export async function forgetImport(query: Query, importId: string): Promise<void> {
  await deleteInBatches(query, 'import_slugs', 'import_id = $1', [importId]);
  await query('DELETE FROM imports WHERE id = $1', [importId]);
}

/** Imports that nobody has continued for an hour. */
export async function findAbandoned(query: Query): Promise<string[]> {
  const rows = await query<{ id: string }>(
    "SELECT id FROM imports WHERE touched_at < clock_timestamp() - interval '1 hour' ORDER BY touched_at",
  );
  return rows.map(({ id }) => id);
}

/** Forgets deletions older than a week; whoever follows the revisions and is further behind starts afresh. */
export async function forgetOldDeletions(query: Query): Promise<void> {
  const old = "deleted_at < clock_timestamp() - interval '7 days'";
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
