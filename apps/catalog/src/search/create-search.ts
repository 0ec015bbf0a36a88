import { EntryWriter, SnapshotStore } from '@app/creator-index';
import { type Logger } from '@app/platform';
import { type TransactionRunner } from '@app/platform/database';
import { type CatalogConfig } from '../config/catalog-config.js';
import { type ReadReplicas } from '../database/read-replicas.js';
import { type BackgroundWork } from '../threads/background-work.js';
import { BitmapSearchEngine } from './bitmap-search-engine.js';
import { WorkerIndexBuilder } from './building/worker-index-builder.js';
import { observeIndex } from './following/index-gauges.js';
import { SearchIndexManager } from './following/search-index-manager.js';
import { type SearchEngine } from './engine/search-engine.js';
import { SqlSearchEngine } from './sql/sql-search-engine.js';

/** Injection token of `Search`. */
export const SEARCH = Symbol('SEARCH');

/** The search engine of this process with its start and shutdown. */
export interface Search {
  readonly engine: SearchEngine;
  /** Why searches are not possible yet, or `null`. */
  missing(): string | null;
  /** Resolves when the engine can answer; the database is connected by then. */
  open(): Promise<void>;
  /** Must be called after a commit in this process, so that searches show it. */
  wake(): void;
  close(): Promise<void>;
}

type SearchConfig = Pick<
  CatalogConfig,
  'SEARCH_ENGINE' | 'SITE_URL' | 'INDEX_DIRECTORY' | 'CATALOG_DATABASE_URL' | 'CATALOG_DIRECT_URL'
>;

interface SearchParts {
  readonly database: TransactionRunner;
  readonly replicas: ReadReplicas;
  readonly logger: Logger;
  readonly background: BackgroundWork;
  /** The URL of a compiled file in the directory above this one. */
  readonly compiled: string;
}

export function createSearch(
  config: SearchConfig,
  { database, replicas, logger, background, compiled }: SearchParts,
): Search {
  if (config.SEARCH_ENGINE === 'sql') {
    return {
      engine: new SqlSearchEngine(replicas, new EntryWriter(config.SITE_URL)),
      missing: () => null,
      open: () => Promise.resolve(),
      wake: () => undefined,
      close: () => Promise.resolve(),
    };
  }
  const directUrl = config.CATALOG_DIRECT_URL || config.CATALOG_DATABASE_URL;
  const worker = new URL('./search/building/segment-worker.js', compiled);
  const manager = new SearchIndexManager({
    query: database.query,
    announcementsUrl: directUrl,
    logger,
    siteUrl: config.SITE_URL,
    builder: new WorkerIndexBuilder(worker, directUrl, background),
    background,
    snapshots: config.INDEX_DIRECTORY === '' ? null : new SnapshotStore(config.INDEX_DIRECTORY),
  });
  observeIndex(manager);
  return {
    engine: new BitmapSearchEngine(() => manager.index),
    missing: () => manager.missing,
    open: () => manager.open(),
    wake: () => manager.wake(),
    close: () => manager.close(),
  };
}
