import { type IndexedState, type IndexProgress } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { type MergePart } from './segment-merger.js';

/** Makes segments; which thread does the work is its matter. */
export interface SegmentMaker {
  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer>;
  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer>;
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  close(): Promise<void>;
}
