import { type SearchDocument } from '../documents/search-document.js';
import { buildSegment } from './build-segment.js';
import { type MergePart, mergeSegments } from './segment-merger.js';

/** Builds segments for an index, on any thread; `buildSegment` and `mergeSegments` do the work. */
export interface SegmentBuilder {
  readonly build: (documents: readonly SearchDocument[]) => Promise<SharedArrayBuffer>;
  readonly merge: (parts: readonly MergePart[]) => Promise<SharedArrayBuffer>;
}

/** Builds them on the current thread. */
export const inThisThread: SegmentBuilder = {
  build: (documents) => Promise.resolve(buildSegment(documents)),
  merge: (parts) => Promise.resolve(mergeSegments(parts)),
};
