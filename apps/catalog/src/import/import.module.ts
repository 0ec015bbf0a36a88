import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { Inject, Injectable, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CreatorsModule } from '../creators/creators.module.js';
import { SearchModule } from '../search/search.module.js';
import { ChunkPreparer } from './chunk-preparer.js';
import { ImportController } from './import.controller.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { ImportUndo } from './import-undo.js';
import { ImportsRepository } from './imports.repository.js';

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

/** Imports, chunk by chunk. Stored creators are searchable at once. */
@Module({
  imports: [CreatorsModule, SearchModule, TypeOrmModule.forFeature([Import])],
  controllers: [ImportController],
  providers: [ImportsRepository, ImportService, ImportUndo, ChunkPreparer, ImportSweep],
})
export class ImportModule {}
