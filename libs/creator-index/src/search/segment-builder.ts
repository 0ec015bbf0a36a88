import { type SearchDocument } from '../documents/search-document.js';
import { type MergePart } from '../segments/segment-merger.js';

/** Builds segments for an index, on any thread; `buildSegment` and `mergeSegments` do the work. */
export interface SegmentBuilder {
  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer>;
  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer>;
}
