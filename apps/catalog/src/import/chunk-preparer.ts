import { type ImportRules } from '#contracts';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type CreatorContent } from '../creators/creator.js';
import { type CreatorRow } from '../creators/creator-row.js';
import { COMPILED, WorkerThread } from '../worker-thread.js';
import { type PreparerTasks } from './import-worker.js';
import { type PreparedChunk } from './prepare-chunk.js';

/** Prepares chunks in a separate thread. */
@Injectable()
export class ChunkPreparer implements OnApplicationShutdown {
  private readonly thread: WorkerThread<PreparerTasks>;

  constructor(@Inject(COMPILED) compiled: string) {
    this.thread = new WorkerThread(new URL('./import/import-worker.js', compiled));
  }

  prepare(bytes: Buffer, firstLine: number, rules: ImportRules): Promise<PreparedChunk> {
    // The Redis client returns slices of a much larger buffer that holds other messages too.
    const own = new Uint8Array(bytes);
    return this.thread.ask('prepare', [own, firstLine, rules], { handedOver: [own.buffer] });
  }

  /** The rows of creators that are more than one record says. */
  rows(creators: readonly CreatorContent[]): Promise<CreatorRow[]> {
    return this.thread.ask('rows', creators);
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.close();
  }
}
