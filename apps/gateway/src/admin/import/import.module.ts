import { Module } from '@nestjs/common';
import { ImportCreatorsController } from './import-creators.controller.js';
import { IMPORT_RETRY_DELAYS_MS, ImportCreatorsService } from './import-creators.service.js';

/** About 8 s in all. */
const retryDelaysMs = [250, 500, 1_000, 2_000, 4_000];

/** Imports of creators: a body of any length, split into messages to the catalog. */
@Module({
  controllers: [ImportCreatorsController],
  providers: [ImportCreatorsService, { provide: IMPORT_RETRY_DELAYS_MS, useValue: retryDelaysMs }],
})
export class ImportModule {}
