import { Module } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { SEARCH, type Search } from '../search/create-search.js';
import { SearchModule } from '../search/search.module.js';
import { BackgroundWork } from '../threads/background-work.js';
import { COMPILED } from '../threads/threads.module.js';
import { ImportController } from './import.controller.js';
import { ImportService } from './import.service.js';
import { ImportSweep } from './import-sweep.js';
import { ThreadedPreparer } from './threaded-preparer.js';

/** Imports, chunk by chunk. What has been stored is searched at once. */
@Module({
  imports: [SearchModule],
  controllers: [ImportController],
  providers: [
    {
      provide: ThreadedPreparer,
      inject: [COMPILED],
      useFactory: (compiled: string) => new ThreadedPreparer(new URL('./import/import-worker.js', compiled)),
    },
    {
      provide: ImportService,
      inject: [getDataSourceToken(), ThreadedPreparer, BackgroundWork, SEARCH],
      useFactory: (
        dataSource: DataSource,
        preparer: ThreadedPreparer,
        background: BackgroundWork,
        search: Search,
      ) => new ImportService(dataSource, preparer, { background, onStored: () => search.wake() }),
    },
    ImportSweep,
  ],
})
export class ImportModule {}
