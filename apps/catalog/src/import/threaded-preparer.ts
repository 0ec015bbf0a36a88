import { type OnApplicationShutdown } from '@nestjs/common';
import { WorkerThread } from '../worker-thread.js';
import { type PreparerTasks } from './import-worker.js';
import { type ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';

/** Prepares chunks in a separate thread. */
export class ThreadedPreparer implements ChunkPreparer, OnApplicationShutdown {
  private readonly thread: WorkerThread<PreparerTasks>;

  constructor(file: URL) {
    this.thread = new WorkerThread(file);
  }

  prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk> {
    // The Redis client returns slices of a much larger buffer that holds other messages too.
    const own = new Uint8Array(bytes);
    return this.thread.ask('prepare', [own, firstLine], { handedOver: [own.buffer] });
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}
