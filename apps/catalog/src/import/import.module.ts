import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { Inject, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreatorsModule } from '../creators/creators.module.js';
import { SearchModule } from '../search/search.module.js';
import { COMPILED } from '../worker-thread.js';
import { ImportController } from './import.controller.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { ImportsRepository } from './imports.repository.js';
import { ChunkPreparer } from './prepare-chunk.js';
import { ThreadedPreparer } from './threaded-preparer.js';

const sweepIntervalMs = 10 * 60_000;

/** Deletes abandoned imports and old deletions. */
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

/** Imports, chunk by chunk. Stored creators are searchable at once. */
@Module({
  imports: [CreatorsModule, SearchModule, TypeOrmModule.forFeature([Import])],
  controllers: [ImportController],
  providers: [
    ImportsRepository,
    ImportService,
    {
      provide: ChunkPreparer,
      inject: [COMPILED],
      useFactory: (compiled: string) => new ThreadedPreparer(new URL('./import/import-worker.js', compiled)),
    },
    ImportSweep,
  ],
})
export class ImportModule {}
