import { Module } from '@nestjs/common';
import { TransactionRunner } from '@app/platform/database';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CatalogStateRepository } from '../creators/catalog-state.repository.js';
import { CreatorsStoreModule } from '../creators/creators-store.module.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { SEARCH, type Search } from '../search/create-search.js';
import { SearchModule } from '../search/search.module.js';
import { BackgroundWork } from '../threads/background-work.js';
import { COMPILED } from '../threads/threads.module.js';
import { ImportChunk } from './import-chunk.entity.js';
import { ImportSlug } from './import-slug.entity.js';
import { ImportController } from './import.controller.js';
import { Import } from './import.entity.js';
import { ImportService } from './import.service.js';
import { ImportSweep } from './import-sweep.js';
import { ImportsRepository } from './imports.repository.js';
import { ThreadedPreparer } from './threaded-preparer.js';

/** Imports, chunk by chunk. Stored creators are searchable at once. */
@Module({
  imports: [CreatorsStoreModule, SearchModule, TypeOrmModule.forFeature([Import, ImportChunk, ImportSlug])],
  controllers: [ImportController],
  providers: [
    ImportsRepository,
    {
      provide: ThreadedPreparer,
      inject: [COMPILED],
      useFactory: (compiled: string) => new ThreadedPreparer(new URL('./import/import-worker.js', compiled)),
    },
    {
      provide: ImportService,
      inject: [
        TransactionRunner,
        ImportsRepository,
        CreatorsRepository,
        CatalogStateRepository,
        ThreadedPreparer,
        BackgroundWork,
        SEARCH,
      ],
      useFactory: (
        transactions: TransactionRunner,
        imports: ImportsRepository,
        creators: CreatorsRepository,
        state: CatalogStateRepository,
        preparer: ThreadedPreparer,
        background: BackgroundWork,
        search: Search,
      ) => {
        const stores = { transactions, imports, creators, state };
        return new ImportService(stores, preparer, { background, onStored: () => search.wake() });
      },
    },
    ImportSweep,
  ],
})
export class ImportModule {}
