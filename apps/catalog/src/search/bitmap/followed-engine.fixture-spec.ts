import { BackgroundWork } from '../../threads/background-work.js';
import { createLogger } from '@app/platform';
import { type DataSource } from 'typeorm';
import { type SearchCriteria } from '../search-criteria.js';
import { SearchEngine, type SearchPage } from '../search-engine.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';
import { IndexKeeper } from './index-keeper.js';
import { InProcessMaker } from './in-process-maker.fixture-spec.js';

const logger = createLogger({ service: 'catalog', level: 'fatal', pretty: false });

/** The bitmap engine of a replica that has seen every commit before it answers. */
export class FollowedEngine extends SearchEngine {
  private readonly keeper: IndexKeeper;
  private readonly engine: BitmapSearchEngine;
  private opened: Promise<void> | undefined;

  constructor(dataSource: DataSource, databaseUrl: string, siteUrl: string) {
    super();
    const maker = new InProcessMaker(dataSource);
    const announcementsUrl = databaseUrl;
    this.keeper = new IndexKeeper({
      dataSource,
      announcementsUrl,
      siteUrl,
      maker,
      background: new BackgroundWork(),
      logger,
      snapshots: null,
    });
    this.engine = new BitmapSearchEngine(() => this.keeper.index);
  }

  async search(criteria: SearchCriteria): Promise<SearchPage> {
    await (this.opened ??= this.keeper.open());
    await this.keeper.catchUp();
    return this.engine.search(criteria);
  }

  /** Puts the latest changes into segments, as if there were many. */
  async freeze(): Promise<void> {
    this.keeper.index?.freeze();
    await this.keeper.index?.maintained();
  }

  async close(): Promise<void> {
    await this.opened;
    await this.keeper.close();
  }
}
