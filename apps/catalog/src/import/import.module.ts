import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type ImportRules } from '#contracts';
import { type CreatorContent } from '../creators/creator.js';
import { type CreatorRow } from '../creators/creator-row.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { SearchModule } from '../search/search.module.js';
import { COMPILED, WorkerThread } from '../worker-thread.js';
import { ImportController } from './import.controller.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { ImportUndo } from './import-undo.js';
import { ImportsRepository } from './imports.repository.js';
import { type PreparerTasks } from './import-worker.js';
import { ChunkPreparer, type PreparedChunk } from './prepare-chunk.js';

const sweepIntervalMs = 10 * 60_000;

/** Ends abandoned imports, and deletes old ones and old deletions. */
@Injectable()
class ImportSweep extends PeriodicTask {
  constructor(imports: ImportsRepository, @Inject(LOGGER) logger: Logger) {
    super({
      run: () => imports.sweep(),
      intervalMs: sweepIntervalMs,
      jitter: 0.1,
      problem: 'abandoned imports not deleted',
      logger,
    });
  }
}

/** Prepares chunks in a separate thread. */
export class ThreadedPreparer implements ChunkPreparer, OnApplicationShutdown {
  private readonly thread: WorkerThread<PreparerTasks>;

  constructor(file: URL) {
    this.thread = new WorkerThread(file);
  }

  prepare(bytes: Buffer, firstLine: number, rules: ImportRules): Promise<PreparedChunk> {
    // The Redis client returns slices of a much larger buffer that holds other messages too.
    const own = new Uint8Array(bytes);
    return this.thread.ask('prepare', [own, firstLine, rules], { handedOver: [own.buffer] });
  }

  rows(creators: readonly CreatorContent[]): Promise<CreatorRow[]> {
    return this.thread.ask('rows', creators);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

/** Imports, chunk by chunk. Stored creators are searchable at once. */
@Module({
  imports: [CreatorsModule, SearchModule, TypeOrmModule.forFeature([Import])],
  controllers: [ImportController],
  providers: [
    ImportsRepository,
    ImportService,
    ImportUndo,
    {
      provide: ChunkPreparer,
      inject: [COMPILED],
      useFactory: (compiled: string) => new ThreadedPreparer(new URL('./import/import-worker.js', compiled)),
    },
    ImportSweep,
  ],
})
export class ImportModule {}
