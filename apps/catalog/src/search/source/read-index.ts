import {
  buildSegment,
  type IndexedState,
  type SearchDocument,
  segmentDocumentsMax,
} from '@app/creator-index';
import { type Query, type Queryable, type ThreadDatabase } from '@app/platform/threads';
import { readState } from './index-source.js';
import { indexedColumns, type IndexedRow, toDocument } from './indexed-row.js';

/** Receives each segment of the whole catalog as soon as it is built. */
export interface IndexProgress {
  segment(buffer: SharedArrayBuffer): void;
}

const rowsPerFetch = 2_000;

/**
 * Reads every published creator in one snapshot of the database and builds segments of them, one at a time. Their order
 * doesn't matter: each segment is sorted, and a search merges.
 */
export function readIndex(database: ThreadDatabase, progress: IndexProgress): Promise<IndexedState> {
  const read = async ({ query }: Queryable): Promise<IndexedState> => {
    const { catalogId, revision } = await readState(query);
    let documents: SearchDocument[] = [];
    for await (const rows of fetchPublished(query)) {
      for (const row of rows) {
        documents.push(toDocument(row));
        if (documents.length < segmentDocumentsMax) continue;
        progress.segment(buildSegment(documents));
        documents = [];
      }
    }
    if (documents.length > 0) progress.segment(buildSegment(documents));
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
