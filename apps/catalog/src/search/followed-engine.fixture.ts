import { createLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { type BitmapIndex } from '#creator-index';
import { type DataSource } from 'typeorm';
import { InProcessBuilder } from '../search-index/in-process-builder.fixture.js';
import { IndexMemory } from '../search-index/index-memory.js';
import { SearchIndexManager } from '../search-index/search-index-manager.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';

const logger = createLogger({ service: 'catalog', level: 'fatal', pretty: false });

/** The bitmap engine of a replica that has seen every commit before it answers. */
export class FollowedEngine extends BitmapSearchEngine {
  private readonly manager: SearchIndexManager;
  private opened: Promise<void> | undefined;

  constructor(dataSource: DataSource, databaseUrl: string, siteUrl: string) {
    const manager = new SearchIndexManager({
      query: new TransactionRunner(dataSource).query,
      siteUrl,
      builder: new InProcessBuilder(databaseUrl),
      memory: new IndexMemory(Infinity),
      logger,
    });
    super(() => manager.index);
    this.manager = manager;
  }

  protected override async ask<Answer>(answer: (index: BitmapIndex) => Answer): Promise<Answer> {
    await (this.opened ??= this.manager.open());
    await this.manager.catchUp();
    return super.ask(answer);
  }

  /** Puts the latest changes into segments, however few they are. */
  async freeze(): Promise<void> {
    this.manager.index?.freeze();
    await this.manager.index?.maintained();
  }

  async close(): Promise<void> {
    await this.opened;
    await this.manager.close();
  }
}
