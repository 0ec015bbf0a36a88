import { type ChangedSegment, type IndexedState, type SegmentBuilder } from '@app/creator-index';
import { type Span } from '../source/index-source.js';
import { type IndexProgress } from '../source/read-index.js';

/** Makes segments of what it is given and of what PostgreSQL holds, on whichever thread it chooses. */
export interface IndexBuilder extends SegmentBuilder {
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  /** Reads what changed within a span into segments, and hands over each as soon as it is made. */
  readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void>;
  close(): Promise<void>;
}
