import {
  type ChangedSegment,
  type IndexedState,
  type MergePart,
  type SearchDocument,
  type SegmentBuilder,
} from '#creator-index';
import { WorkerThread } from '../worker-thread.js';
import { type IndexProgress, type Span } from './index-source.js';

/** Builds segments from given documents and from PostgreSQL, on any thread. */
export interface IndexBuilder extends SegmentBuilder {
  /** Reads the whole catalog into segments. */
  read(progress: IndexProgress): Promise<IndexedState>;
  /** Reads the changes within a span into segments, and passes each on as soon as it is built. */
  readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void>;
  close(): Promise<void>;
}

/** Builds segments in separate threads: reading from the database does not wait for merges. */
export class WorkerIndexBuilder implements IndexBuilder {
  private readonly making: WorkerThread<WorkerTask, WorkerAnswer>;
  private readonly reading: WorkerThread<WorkerTask, WorkerAnswer>;

  constructor(
    file: URL,
    private readonly databaseUrl: string,
  ) {
    this.making = new WorkerThread(file);
    // An import must be visible within a second, however long ago the last one was.
    this.reading = new WorkerThread(file, { isReady: true });
  }

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.make((id) => ({ id, kind: 'build', documents }));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.make((id) => ({ id, kind: 'merge', parts }));
  }

  async read(progress: IndexProgress): Promise<IndexedState> {
    const { databaseUrl } = this;
    const answer = await this.reading.ask((id) => ({ id, kind: 'read', databaseUrl }), {
      isLast: (part) => {
        if (part.kind === 'segment') progress.segment(part.segment);
        return part.kind !== 'segment';
      },
    });
    if (answer.kind === 'failed') throw answer.error;
    if (answer.kind !== 'read') throw new Error('the index was not read');
    return answer.state;
  }

  async readChanges(span: Span, take: (part: ChangedSegment) => void): Promise<void> {
    const { databaseUrl } = this;
    const answer = await this.reading.ask((id) => ({ id, kind: 'read changes', databaseUrl, span }), {
      isLast: (part) => {
        if (part.kind === 'changed') take(part.part);
        return part.kind !== 'changed';
      },
    });
    if (answer.kind === 'failed') throw answer.error;
    if (answer.kind !== 'changes read') throw new Error('the changes were not read');
  }

  async close(): Promise<void> {
    await Promise.all([this.making.close(), this.reading.close()]);
  }

  private async make(makeTask: (id: number) => WorkerTask): Promise<SharedArrayBuffer> {
    const answer = await this.making.ask(makeTask);
    if (answer.kind === 'failed') throw answer.error;
    if (answer.kind !== 'made') throw new Error('no segment was made');
    return answer.segment;
  }
}

/** What the worker thread is asked to do. */
export type WorkerTask = { readonly id: number } & (
  | { readonly kind: 'build'; readonly documents: readonly SearchDocument[] }
  | { readonly kind: 'merge'; readonly parts: readonly MergePart[] }
  | { readonly kind: 'read'; readonly databaseUrl: string }
  | { readonly kind: 'read changes'; readonly databaseUrl: string; readonly span: Span }
);

/** Its answers: several for reads, one for everything else. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly kind: 'made'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'segment'; readonly segment: SharedArrayBuffer }
  | { readonly kind: 'read'; readonly state: IndexedState }
  | { readonly kind: 'changed'; readonly part: ChangedSegment }
  | { readonly kind: 'changes read' }
  | { readonly kind: 'failed'; readonly error: Error }
);
