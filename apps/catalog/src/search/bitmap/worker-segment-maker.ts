import { WorkerThread } from '../../threads/worker-thread.js';
import { type IndexedState, type IndexProgress } from './read-index.js';
import { type SearchDocument } from './search-document.js';
import { type SegmentMaker } from './segment-maker.js';
import { type MergePart } from './segment-merger.js';
import { type WorkerAnswer, type WorkerTask } from './worker-messages.js';

/** Makes segments in a thread of its own. */
export class WorkerSegmentMaker implements SegmentMaker {
  private readonly thread: WorkerThread<WorkerTask, WorkerAnswer>;

  constructor(
    file: URL,
    private readonly databaseUrl: string,
  ) {
    this.thread = new WorkerThread(file);
  }

  build(documents: readonly SearchDocument[]): Promise<SharedArrayBuffer> {
    return this.make((id) => ({ id, kind: 'build', documents }));
  }

  merge(parts: readonly MergePart[]): Promise<SharedArrayBuffer> {
    return this.make((id) => ({ id, kind: 'merge', parts }));
  }

  async read(progress: IndexProgress): Promise<IndexedState> {
    const { databaseUrl } = this;
    const answer = await this.thread.ask(
      (id) => ({ id, kind: 'read', databaseUrl }),
      (part) => {
        if (part.kind === 'segment') progress.segment(part.segment);
        return part.kind !== 'segment';
      },
    );
    if (answer.kind === 'failed') throw answer.error;
    if (answer.kind !== 'read') throw new Error('the index was not read');
    return answer.state;
  }

  close(): Promise<void> {
    return this.thread.close();
  }

  private async make(makeTask: (id: number) => WorkerTask): Promise<SharedArrayBuffer> {
    const answer = await this.thread.ask(makeTask);
    if (answer.kind === 'failed') throw answer.error;
    if (answer.kind !== 'made') throw new Error('no segment was made');
    return answer.segment;
  }
}
