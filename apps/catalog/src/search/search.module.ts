import { CONFIG, HealthChecks, LOGGER, type Logger } from '@app/platform';
import { TransactionRunner } from '@app/platform/database';
import { type BeforeApplicationShutdown, Inject, Injectable, Module } from '@nestjs/common';
import { type CatalogConfig } from '../config/catalog-config.js';
import { ReadReplicas } from '../database/read-replicas.js';
import { ReadReplicasModule } from '../database/read-replicas.module.js';
import { BackgroundWork } from '../threads/background-work.js';
import { COMPILED } from '../threads/threads.module.js';
import { createSearch, SEARCH, type Search } from './create-search.js';
import { FiltersController } from './filters.controller.js';
import { LookUpController } from './look-up.controller.js';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './engine/search-engine.js';

/** Stops following the database before its connections are closed. */
@Injectable()
class SearchLifecycle implements BeforeApplicationShutdown {
  constructor(@Inject(SEARCH) private readonly search: Search) {}

  beforeApplicationShutdown(): Promise<void> {
    return this.search.close();
  }
}

/** Searches, look-ups and filters. The start waits until the engine can answer: it may have to read the whole catalog first. */
@Module({
  imports: [ReadReplicasModule],
  controllers: [SearchController, LookUpController, FiltersController],
  providers: [
    {
      provide: SEARCH,
      inject: [CONFIG, TransactionRunner, ReadReplicas, LOGGER, BackgroundWork, COMPILED, HealthChecks],
      useFactory: async (
        config: CatalogConfig,
        database: TransactionRunner,
        replicas: ReadReplicas,
        logger: Logger,
        background: BackgroundWork,
        compiled: string,
        health: HealthChecks,
      ): Promise<Search> => {
        const search = createSearch(config, { database, replicas, logger, background, compiled });
        health.ready.index = () => Promise.resolve(search.missing());
        await search.open();
        return search;
      },
    },
    { provide: SearchEngine, inject: [SEARCH], useFactory: ({ engine }: Search) => engine },
    SearchLifecycle,
  ],
  exports: [SEARCH],
})
export class SearchModule {}
