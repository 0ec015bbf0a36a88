import { type Filters, type NamedFilter } from '#contracts';
import { type SearchCriteria } from '#creator-index';
import { createLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type DataSource } from 'typeorm';
import { type AccountKey } from '../lookup/account-key.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';
import { InProcessBuilder } from '../search-index/in-process-builder.fixture.js';
import { IndexMemory } from '../search-index/index-memory.js';
import { SearchIndexManager } from '../search-index/search-index-manager.js';
import { SearchEngine, type SearchPage } from './search-engine.js';

const logger = createLogger({ service: 'catalog', level: 'fatal', pretty: false });

/** The bitmap engine of a replica that has seen every commit before it answers. */
export class FollowedEngine extends SearchEngine {
  private readonly manager: SearchIndexManager;
  private readonly engine: BitmapSearchEngine;
  private opened: Promise<void> | undefined;

  constructor(dataSource: DataSource, databaseUrl: string, siteUrl: string) {
    super();
    const transactions = new TransactionRunner(dataSource);
    const builder = new InProcessBuilder(databaseUrl);
    const announcementsUrl = databaseUrl;
    this.manager = new SearchIndexManager({
      query: transactions.query,
      announcementsUrl,
      siteUrl,
      builder,
      memory: new IndexMemory(Infinity, logger),
      logger,
      snapshots: null,
    });
    this.engine = new BitmapSearchEngine(() => this.manager.index);
  }

  protected async find(criteria: SearchCriteria): Promise<SearchPage> {
    await this.caughtUp();
    return this.engine.search(criteria);
  }

  async unknownFilters(criteria: SearchCriteria): Promise<NamedFilter[]> {
    await this.caughtUp();
    return this.engine.unknownFilters(criteria);
  }

  async lookUp(accounts: readonly (readonly AccountKey[])[]): Promise<(string | null)[]> {
    await this.caughtUp();
    return this.engine.lookUp(accounts);
  }

  async filters(): Promise<Filters> {
    await this.caughtUp();
    return this.engine.filters();
  }

  /** Puts the latest changes into segments, however few they are. */
  async freeze(): Promise<void> {
    this.manager.index?.freeze();
    await this.manager.index?.maintained();
  }

  private async caughtUp(): Promise<void> {
    await (this.opened ??= this.manager.open());
    await this.manager.catchUp();
  }

  async close(): Promise<void> {
    await this.opened;
    await this.manager.close();
  }
}
