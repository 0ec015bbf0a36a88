import { gauge } from '@app/platform';
import { type SearchIndexManager } from './search-index-manager.js';

/** Metrics of the size of the index, and of how far it has followed the database. */
export function observeIndex(manager: SearchIndexManager): void {
  gauge('catalog_creators', 'Published creators in the index.', () => manager.index?.documents);
  gauge('index_segments', 'Segments of the index.', () => manager.index?.segmentsInUse.length);
  gauge('index_bytes', 'Memory that the segments of the index take.', () =>
    manager.index?.segmentsInUse.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0),
  );
  gauge('index_revision', 'The revision of the database that the index shows.', () => manager.revision);
  gauge(
    'index_last_followed_timestamp_seconds',
    'When the index was last known to show everything in the database.',
    () => manager.lastFollowed,
  );
  gauge('newest_update_timestamp_seconds', 'The newest update of a creator in the index.', () => {
    const newest = manager.index?.newestUpdate;
    return newest === undefined ? undefined : newest / 1_000;
  });
}
