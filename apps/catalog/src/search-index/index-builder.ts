import {
  type ChangedSegment,
  type IndexedState,
  type MergePart,
  type SearchDocument,
  type SegmentBuilder,
} from '#creator-index';
import { WorkerThread } from '../worker-thread.js';
import { type Span, type TakeSegment } from './index-source.js';
import { type SegmentTasks } from './segment-worker.js';

/** Builds segments from given documents and from PostgreSQL, on any thread. */
export interface IndexBuilder extends SegmentBuilder {
  /** Reads the whole catalog into segments. */
  read(take: TakeSegment): Promise<IndexedState>;
  /** Reads the changes within a span into segments, and passes each on as soon as it is built. */
  readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void>;
  close(): Promise<void>;
}

/** Builds segments in separate threads: reading from the database does not wait for merges. */
export class WorkerIndexBuilder implements IndexBuilder {
  private readonly making: WorkerThread<SegmentTasks>;
  private readonly reading: WorkerThread<SegmentTasks>;

  constructor(
    file: URL,
    private readonly databaseUrl: string,
  ) {
    this.making = new WorkerThread(file);
    this.reading = new WorkerThread(file);
  }

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.making.ask('build', documents);
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.making.ask('merge', parts);
  }

  read(take: TakeSegment): Promise<IndexedState> {
    return this.reading.ask('read', this.databaseUrl, { onPart: take });
  }

  readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void> {
    return this.reading.ask('readChanges', [this.databaseUrl, span], { onPart: take });
  }

  async close(): Promise<void> {
    await Promise.all([this.making.close(), this.reading.close()]);
  }
}
