import { type Change, type IndexedState } from '@app/creator-index';
import { type Query, type StatementName } from '@app/platform/threads';
import { indexedColumns, type IndexedRow, toDocument } from './indexed-row.js';

/** The identity of the catalog and its revision. */
export interface CatalogState extends IndexedState {
  /** Deletions up to this revision are no longer recorded. */
  readonly forgottenRevision: number;
}

export async function readState(query: Query): Promise<CatalogState> {
  const [row] = await query<{ catalog_id: string; revision: string; forgotten_revision: string }>(
    'read catalog state',
    'SELECT catalog_id, revision, forgotten_revision FROM catalog_state',
  );
  if (!row) throw new Error('catalog_state has no row');
  return {
    catalogId: row.catalog_id,
    revision: Number(row.revision),
    forgottenRevision: Number(row.forgotten_revision),
  };
}

/** Changes after `after` up to and including `upTo`. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

/** Served by `creators_by_revision`; pages, because one revision may hold a whole chunk of an import. */
const changedSql = `
  SELECT revision, published, ${indexedColumns} FROM creators
  WHERE revision <= $1 AND (revision, slug) > ($2, $3) ORDER BY revision, slug LIMIT $4`;

const deletedSql = `
  SELECT revision, slug FROM creator_deletions
  WHERE revision <= $1 AND (revision, slug) > ($2, $3) ORDER BY revision, slug LIMIT $4`;

/** Each of the two counts stops at the limit. */
const countSql = `
  SELECT count(*)::integer AS changes FROM (
    (SELECT 1 FROM creators WHERE revision > $1 AND revision <= $2 LIMIT $3)
    UNION ALL
    (SELECT 1 FROM creator_deletions WHERE revision > $1 AND revision <= $2 LIMIT $3)
  ) AS changed`;

interface ChangedRow extends IndexedRow {
  readonly revision: string;
  readonly published: boolean;
}

/** Whether a span has more than `than` changes. */
export async function hasMoreChanges(query: Query, { after, upTo }: Span, than: number): Promise<boolean> {
  const [row] = await query<{ changes: number }>('count changes', countSql, [after, upTo, than + 1]);
  return (row?.changes ?? 0) > than;
}

/**
 * What changed within a span, page by page. A creator changed again meanwhile is left out: its change has a revision
 * after the span and comes with the next one.
 */
export async function* readChanges(
  query: Query,
  { after, upTo }: Span,
  pageSize: number,
): AsyncGenerator<Change[]> {
  for await (const rows of pages<ChangedRow>(
    query,
    ['read changed creators', changedSql],
    { after, upTo },
    pageSize,
  )) {
    yield rows.map((row) => ({ slug: row.slug, document: row.published ? toDocument(row) : null }));
  }
  for await (const rows of pages(query, ['read deleted creators', deletedSql], { after, upTo }, pageSize)) {
    yield rows.map(({ slug }) => ({ slug, document: null }));
  }
}

async function* pages<Row extends { revision: string; slug: string }>(
  query: Query,
  [name, sql]: [StatementName, string],
  { after, upTo }: Span,
  pageSize: number,
): AsyncGenerator<Row[]> {
  // No slug is above this one, so the first page begins with the revision after `after`.
  let last = { revision: String(after), slug: '~' };
  for (;;) {
    const rows = await query<Row>(name, sql, [upTo, last.revision, last.slug, pageSize]);
    if (rows.length > 0) yield rows;
    const next = rows.at(-1);
    if (!next || rows.length < pageSize) return;
    last = next;
  }
}
