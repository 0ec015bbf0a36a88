import { type Logger } from '@app/platform';
import { type DataSource } from 'typeorm';
import { type CatalogConfig } from '../config/catalog-config.js';
import { CreatorJson } from '../creators/creator-json.js';
import { type BackgroundWork } from '../threads/background-work.js';
import { BitmapSearchEngine } from './bitmap/bitmap-search-engine.js';
import { observeIndex } from './bitmap/index-gauges.js';
import { IndexKeeper } from './bitmap/index-keeper.js';
import { SnapshotStore } from './bitmap/snapshot-store.js';
import { WorkerSegmentMaker } from './bitmap/worker-segment-maker.js';
import { type SearchEngine } from './search-engine.js';
import { SqlSearchEngine } from './sql-search-engine.js';

/** The search engine of this process with what it needs before and after. */
export interface Search {
  readonly engine: SearchEngine;
  /** Why nothing can be searched yet, or `null`. */
  missing(): string | null;
  /** Resolves when the engine can answer; the database is connected by then. */
  open(): Promise<void>;
  /** Something has been committed in this process: searches are to show it. */
  wake(): void;
  close(): Promise<void>;
}

type SearchConfig = Pick<
  CatalogConfig,
  'SEARCH_ENGINE' | 'SITE_URL' | 'INDEX_DIRECTORY' | 'CATALOG_DATABASE_URL' | 'CATALOG_DIRECT_URL'
>;

/** `compiled` is the URL of a compiled file in the directory above this one. */
export function createSearch(
  config: SearchConfig,
  dataSource: DataSource,
  logger: Logger,
  background: BackgroundWork,
  compiled: string,
): Search {
  if (config.SEARCH_ENGINE === 'sql') {
    return {
      engine: new SqlSearchEngine(dataSource, new CreatorJson(config.SITE_URL)),
      missing: () => null,
      open: () => Promise.resolve(),
      wake: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  const directUrl = config.CATALOG_DIRECT_URL || config.CATALOG_DATABASE_URL;
  const worker = new URL('./search/bitmap/segment-worker.js', compiled);
  const keeper = new IndexKeeper({
    dataSource,
    announcementsUrl: directUrl,
    logger,
    siteUrl: config.SITE_URL,
    maker: new WorkerSegmentMaker(worker, directUrl, background),
    background,
    snapshots: config.INDEX_DIRECTORY === '' ? null : new SnapshotStore(config.INDEX_DIRECTORY),
  });
  observeIndex(keeper);
  return {
    engine: new BitmapSearchEngine(() => keeper.index),
    missing: () => keeper.missing,
    open: () => keeper.open(),
    wake: () => keeper.wake(),
    close: () => keeper.close(),
  };
}
