import {
  type Change,
  type IndexedState,
  type SearchDocument,
  buildSegment,
  columnCount,
  columnOf,
  segmentDocumentsMax,
  writeRecord,
} from '#creator-index';
import { type Query, type Queryable, type StatementName, type ThreadDatabase } from '#platform/threads';
import { countryKey, languageKey, textVersion } from '#contracts/threads';
import { categoryKey, type PlatformAccount } from '../creators/creator.js';
import { searchText } from '../creators/creator-row.js';
import { keysOfAccounts } from '../lookup/creator-account.js';

/** A row of `creators` as the index reads it; texts that end in `_json` are JSON. */
export interface IndexedRow {
  readonly slug: string;
  readonly name: string;
  readonly country: string;
  readonly platforms_json: string;
  readonly total_reach: string;
  readonly newest_ms: number | null;
  readonly folded_country: string;
  readonly languages_json: string;
  readonly folded_languages_json: string;
  readonly folded_categories_json: string;
  readonly search_text: string;
  readonly text_version: string;
}

/** The columns of `creators` that make an `IndexedRow`. */
export const indexedColumns = `slug, name, country, platforms::text AS platforms_json, total_reach,
  (extract(epoch FROM newest_updated_at) * 1000)::float8 AS newest_ms, folded_country,
  array_to_json(languages)::text AS languages_json,
  array_to_json(folded_languages)::text AS folded_languages_json,
  array_to_json(folded_categories)::text AS folded_categories_json, search_text, text_version`;

export function toDocument(row: IndexedRow): SearchDocument {
  const accounts = JSON.parse(row.platforms_json) as PlatformAccount[];
  const reach = Number(row.total_reach);
  const followers: (number | null)[] = Array<number | null>(columnCount).fill(null);
  followers[0] = reach;
  for (const account of accounts) followers[columnOf(account.platform)] = account.followers;
  return {
    slug: row.slug,
    record: writeRecord({ slug: row.slug, name: row.name, country: row.country, reach, accounts }),
    updatedAt: row.newest_ms ?? -Infinity,
    countryName: row.country,
    languageNames: JSON.parse(row.languages_json) as string[],
    ...foldedTexts(row, accounts),
    followers,
    accountKeys: keysOfAccounts(accounts),
  };
}

/**
 * As this process folds what is searched for. A row of another version is folded here: it may take hours until it is in the
 * database, and a replica of an older Node.js never has it there.
 */
function foldedTexts(
  row: IndexedRow,
  accounts: PlatformAccount[],
): Pick<SearchDocument, 'text' | 'country' | 'categories' | 'languages'> {
  const list = (json: string): string[] => JSON.parse(json) as string[];
  if (row.text_version === textVersion) {
    return {
      text: row.search_text,
      country: row.folded_country,
      categories: list(row.folded_categories_json),
      languages: list(row.folded_languages_json),
    };
  }
  return {
    text: searchText({ name: row.name, platforms: accounts }),
    country: countryKey(row.country),
    // Stored as slugs, in every version.
    categories: list(row.folded_categories_json).map(categoryKey),
    languages: list(row.languages_json).map(languageKey),
  };
}

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

/** Takes each segment of the whole catalog as soon as it is built. */
export type TakeSegment = (segment: SharedArrayBuffer) => void;

const rowsPerFetch = 2_000;

/**
 * Reads every published creator in one snapshot of the database and builds segments of them, one at a time. Their order
 * doesn't matter: each segment is sorted, and a search merges.
 */
export function readIndex(database: ThreadDatabase, take: TakeSegment): Promise<IndexedState> {
  const read = async ({ query }: Queryable): Promise<IndexedState> => {
    const { catalogId, revision } = await readState(query);
    let documents: SearchDocument[] = [];
    for await (const rows of fetchPublished(query)) {
      for (const row of rows) {
        documents.push(toDocument(row));
        if (documents.length < segmentDocumentsMax) continue;
        take(buildSegment(documents));
        documents = [];
      }
    }
    if (documents.length > 0) take(buildSegment(documents));
    return { catalogId, revision };
  };
  return database.snapshot(read);
}

async function* fetchPublished(query: Query): AsyncGenerator<IndexedRow[]> {
  await query(
    'declare cursor',
    `DECLARE published NO SCROLL CURSOR FOR SELECT ${indexedColumns} FROM creators WHERE published`,
  );
  const fetchNext = (): Promise<IndexedRow[]> => {
    const rows = query<IndexedRow>('fetch creators', `FETCH ${rowsPerFetch} FROM published`);
    // Awaited below, unless reading fails first; then its outcome doesn't matter.
    rows.catch(() => undefined);
    return rows;
  };
  // The next rows are fetched while these are processed.
  let next = fetchNext();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) return;
    next = fetchNext();
    yield rows;
  }
}
