import { type OnApplicationShutdown } from '@nestjs/common';
import { WorkerThread } from '../worker-thread.js';
import { type ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';

export interface PreparerTask {
  readonly id: number;
  /** In a separate buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly firstLine: number;
}

export type PreparerAnswer =
  { readonly id: number; readonly prepared: PreparedChunk } | { readonly id: number; readonly error: Error };

/** Prepares chunks in a separate thread. */
export class ThreadedPreparer implements ChunkPreparer, OnApplicationShutdown {
  private readonly thread: WorkerThread<PreparerTask, PreparerAnswer>;

  constructor(file: URL) {
    this.thread = new WorkerThread(file);
  }

  async prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk> {
    // The Redis client returns slices of a much larger buffer that holds other messages too.
    const own = new Uint8Array(bytes);
    const answer = await this.thread.ask((id) => ({ id, bytes: own, firstLine }), {
      handedOver: [own.buffer],
    });
    if ('error' in answer) throw answer.error;
    return answer.prepared;
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
