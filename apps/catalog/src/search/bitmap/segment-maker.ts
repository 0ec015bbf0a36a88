import { type IndexedState, type IndexProgress } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { buildSegment } from './segment-builder.js';
import { Segment } from './segment.js';

/** A segment with the documents of it that are gone. */
export interface MergePart {
  readonly buffer: SharedArrayBuffer;
  readonly gone: Uint32Array;
}

/** Makes segments; which thread does the work is its matter. */
export interface SegmentMaker {
  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer>;
  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer>;
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  close(): Promise<void>;
}

/** One segment of what is left in several. */
export function mergeSegments(parts: readonly MergePart[]): SharedArrayBuffer {
  return buildSegment(parts.flatMap(({ buffer, gone }) => [...new Segment(buffer).documents(gone)]));
}
