import { EntryWriter, type IndexedState } from '#creator-index';
import { CONFIG, HealthChecks, LOGGER, type Logger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type BeforeApplicationShutdown, Inject, Injectable, Module } from '@nestjs/common';
import { type CatalogConfig } from '../catalog-config.js';
import { checkEngine, isDistributed } from '../database/distribution.js';
import { WorkerIndexBuilder } from '../search-index/index-builder.js';
import { IndexMemory, memoryForIndex } from '../search-index/index-memory.js';
import { observeIndex, SearchIndexManager } from '../search-index/search-index-manager.js';
import { COMPILED } from '../worker-thread.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { CreatorsRepository } from '../creators/creators.repository.js';
import { SearchController } from './search.controller.js';
import { SearchEngine } from './search-engine.js';
import { TestCreators } from './test-creators.js';
import { SqlSearchEngine } from './sql-search-engine.js';

/** The index in memory, ready and up to date; none with `SEARCH_ENGINE=sql`. */
@Injectable()
export class SearchIndex implements BeforeApplicationShutdown {
  readonly manager: SearchIndexManager | null;

  constructor(
    @Inject(CONFIG) config: CatalogConfig,
    @Inject(LOGGER) logger: Logger,
    @Inject(COMPILED) compiled: string,
    { query }: TransactionRunner,
  ) {
    if (config.SEARCH_ENGINE === 'sql') {
      this.manager = null;
      return;
    }
    const worker = new URL('./search-index/segment-worker.js', compiled);
    this.manager = new SearchIndexManager({
      query,
      logger,
      siteUrl: config.SITE_URL,
      builder: new WorkerIndexBuilder(worker, config.CATALOG_DIRECT_URL || config.CATALOG_DATABASE_URL),
      memory: new IndexMemory(memoryForIndex(config.INDEX_MEMORY_MB)),
    });
    observeIndex(this.manager);
  }

  /**
   * What the database's state was within the last second, the same object until it changes; `undefined` while that is not
   * known, and without an index.
   */
  get currentState(): IndexedState | undefined {
    return this.manager?.currentState;
  }

  /** Why no further creators can be published, or `null`: the index of this replica has no memory for them. */
  get full(): string | null {
    return this.manager?.full ?? null;
  }

  /** Must be called after a commit in this process, so that searches show it at once. */
  wake(): void {
    this.manager?.wake();
  }

  /** Stops following the database before its connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.manager?.close();
  }
}

/**
 * Searches, look-ups and filters. The start waits until the engine can answer: it may have to read the whole catalog
 * first.
 */
@Module({
  imports: [CreatorsModule],
  controllers: [SearchController],
  providers: [
    SearchIndex,
    TestCreators,
    {
      provide: SearchEngine,
      inject: [SearchIndex, CONFIG, TransactionRunner, CreatorsRepository, HealthChecks],
      useFactory: async (
        { manager }: SearchIndex,
        { SITE_URL, SEARCH_ENGINE }: CatalogConfig,
        database: TransactionRunner,
        creators: CreatorsRepository,
        health: HealthChecks,
      ): Promise<SearchEngine> => {
        const distributed = await isDistributed(database.query);
        checkEngine(SEARCH_ENGINE, distributed);
        if (!manager) return new SqlSearchEngine(database, creators, new EntryWriter(SITE_URL), distributed);
        health.ready.index = () => Promise.resolve(manager.missing);
        await manager.open();
        return new BitmapSearchEngine(() => manager.index);
      },
    },
  ],
  exports: [SearchIndex, TestCreators],
})
export class SearchModule {}
