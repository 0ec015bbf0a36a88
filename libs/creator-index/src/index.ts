export {
  type Change,
  columnCount,
  columnOf,
  type IndexedState,
  type SearchCriteria,
  type SearchDocument,
  type SearchPosition,
} from './documents/search-document.js';
export { accountsOf, EntryWriter, type RecordAccount, writeRecord } from './documents/search-entry.js';
export { BitmapIndex } from './search/bitmap-index.js';
export { type FilterCount, FilterCounter, type FilterCounts } from './search/filter-counts.js';
export {
  buildSegment,
  type ChangedSegment,
  changesPerSegment,
  toChangedSegment,
} from './segments/build-segment.js';
export { deletedShareMax } from './segments/merge-policy.js';
export { promptGarbageCollection, type SegmentInUse, useSegment } from './segments/segment-in-use.js';
export { inThisThread, type SegmentBuilder } from './segments/segment-builder.js';
export { type MergePart, mergeSegments } from './segments/segment-merger.js';
export { segmentDocumentsMax } from './segments/segment-writer.js';
