import { WorkerThread } from '../threads/worker-thread.js';
import { type ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';

export interface PreparerTask {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly firstLine: number;
}

export type PreparerAnswer =
  { readonly id: number; readonly prepared: PreparedChunk } | { readonly id: number; readonly error: Error };

/** Prepares chunks in a thread of its own. */
export class ThreadedPreparer implements ChunkPreparer {
  private readonly thread: WorkerThread<PreparerTask, PreparerAnswer>;

  constructor(file: URL) {
    this.thread = new WorkerThread(file);
  }

  async prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk> {
    const answer = await this.thread.ask((id) => ({ id, bytes, firstLine }));
    if ('error' in answer) throw answer.error;
    return answer.prepared;
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
