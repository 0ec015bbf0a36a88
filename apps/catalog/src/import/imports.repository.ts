import { type ImportReport } from '@app/contracts';
import { type Query } from '../database/query.js';
import { type ParsedLine } from './parse-chunk.js';

/** Whose turn it is: this chunk's, an earlier one's, or nobody's because the chunk has been stored. */
export type Turn =
  | { readonly is: 'this' }
  | { readonly is: 'earlier' }
  | { readonly is: 'stored'; readonly report: ImportReport };

/**
 * Locks the import for this transaction and says whether chunk `seq` is next. Chunks of one import take turns in their
 * order, on whichever replica, so that of a slug that occurs twice the first always wins.
 */
export async function takeTurn(query: Query, importId: string, seq: number): Promise<Turn> {
  await query('INSERT INTO imports (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', [importId]);
  const [row] = await query<{ next_seq: number; report: ImportReport | null }>(
    `SELECT imports.next_seq, chunks.report
     FROM imports LEFT JOIN import_chunks AS chunks ON chunks.import_id = imports.id AND chunks.seq = $2
     WHERE imports.id = $1
     FOR UPDATE OF imports`,
    [importId, seq],
  );
  if (!row) throw new Error('an import that was just made is gone');
  if (row.report) return { is: 'stored', report: row.report };
  return { is: row.next_seq === seq ? 'this' : 'earlier' };
}

/** Claims the slugs of a chunk; gives the line that had a slug before, for those that were claimed already. */
export async function claimSlugs(
  query: Query,
  importId: string,
  lines: readonly ParsedLine[],
): Promise<Map<string, number>> {
  const slugs = lines.map(({ record }) => record.slug);
  const taken = await query<{ slug: string; line: number }>(
    'SELECT slug, line FROM import_slugs WHERE import_id = $1 AND slug = ANY($2::text[])',
    [importId, slugs],
  );
  await query(
    `INSERT INTO import_slugs (import_id, slug, line)
     SELECT $1, slug, line FROM unnest($2::text[], $3::integer[]) AS claim (slug, line)
     ON CONFLICT (import_id, slug) DO NOTHING`,
    [importId, slugs, lines.map(({ line }) => line)],
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

export async function forgetImport(query: Query, importId: string): Promise<void> {
  await query('DELETE FROM imports WHERE id = $1', [importId]);
}

/** Forgets imports that nobody has continued for an hour, and deletions older than a week. */
export async function forgetAbandoned(query: Query): Promise<void> {
  await query("DELETE FROM imports WHERE touched_at < clock_timestamp() - interval '1 hour'");
  await query("DELETE FROM creator_deletions WHERE deleted_at < clock_timestamp() - interval '7 days'");
}
