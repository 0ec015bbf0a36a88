export type { Change } from './documents/change.js';
export type { SearchCriteria } from './documents/search-criteria.js';
export {
  columnCount,
  columnOf,
  type SearchDocument,
  type SearchPosition,
} from './documents/search-document.js';
export { accountsOf, EntryWriter, type RecordAccount, writeRecord } from './documents/search-entry.js';
export { buildSegment } from './segments/build-segment.js';
export { type ChangedSegment, changesPerSegment, toChangedSegment } from './segments/changed-segment.js';
export { type SegmentInUse, useSegment } from './segments/segment-in-use.js';
export { type MergePart, mergeSegments } from './segments/segment-merger.js';
export { segmentDocumentsMax } from './segments/segment-writer.js';
export { BitmapIndex } from './search/bitmap-index.js';
export type { FilterCount, FilterCounts } from './search/filter-counts.js';
export type { SegmentBuilder } from './search/segment-builder.js';
export type { IndexedState } from './storage/indexed-state.js';
export { type IndexSnapshot, SnapshotStore } from './storage/snapshot-store.js';
