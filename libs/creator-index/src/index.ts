export type { Change } from './documents/search-document.js';
export type { SearchCriteria } from './documents/search-document.js';
export {
  columnCount,
  columnOf,
  type SearchDocument,
  type SearchPosition,
} from './documents/search-document.js';
export { accountsOf, EntryWriter, type RecordAccount, writeRecord } from './documents/search-entry.js';
export { buildSegment } from './segments/build-segment.js';
export { type ChangedSegment, changesPerSegment, toChangedSegment } from './segments/build-segment.js';
export { type SegmentInUse, useSegment } from './segments/segment-in-use.js';
export { type MergePart, mergeSegments } from './segments/segment-merger.js';
export { segmentDocumentsMax } from './segments/segment-writer.js';
export { BitmapIndex } from './search/bitmap-index.js';
export type { FilterCount, FilterCounts } from './search/filter-counts.js';
export type { SegmentBuilder } from './segments/segment-merger.js';
export type { IndexedState } from './segments/snapshot-store.js';
export { type IndexSnapshot, SnapshotStore } from './segments/snapshot-store.js';
