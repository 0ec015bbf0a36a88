import { gauge } from '@app/platform';
import { type IndexKeeper } from './index-keeper.js';

/** Shows how large the index is, and how far it has followed the database. */
export function observeIndex(keeper: IndexKeeper): void {
  gauge('catalog_creators', 'Published creators in the index.', () => keeper.index?.documents);
  gauge('index_segments', 'Segments of the index.', () => keeper.index?.segmentsInUse.length);
  gauge('index_bytes', 'Memory that the segments of the index take.', () =>
    keeper.index?.segmentsInUse.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0),
  );
  gauge('index_revision', 'The revision of the database that the index shows.', () => keeper.revision);
  gauge(
    'index_last_followed_timestamp_seconds',
    'When the index was last known to show everything in the database.',
    () => keeper.lastFollowed,
  );
  gauge('newest_update_timestamp_seconds', 'The newest update of a creator in the index.', () => {
    const newest = keeper.index?.newestUpdate;
    return newest === undefined ? undefined : newest / 1_000;
  });
}
