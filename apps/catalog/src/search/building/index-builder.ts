import { type ChangedSegment, type IndexedState, type SegmentBuilder } from '@app/creator-index';
import { type Span } from '../source/index-source.js';
import { type IndexProgress } from '../source/read-index.js';

/** Builds segments from given documents and from PostgreSQL, on any thread. */
export interface IndexBuilder extends SegmentBuilder {
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  /** Reads the changes within a span into segments, and passes each on as soon as it is built. */
  readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void>;
  close(): Promise<void>;
}
