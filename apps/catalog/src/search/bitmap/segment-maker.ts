import { type ChangedPart } from './changed-part.js';
import { type Span } from './index-source.js';
import { type IndexedState, type IndexProgress } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { type MergePart } from './segment-merger.js';

/** Makes segments; which thread does the work is its matter. */
export interface SegmentMaker {
  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer>;
  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer>;
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  /** Reads what changed within a span into segments, and hands over each as soon as it is made. */
  readChanges(span: Span, take: (part: ChangedPart) => void): Promise<void>;
  close(): Promise<void>;
}
