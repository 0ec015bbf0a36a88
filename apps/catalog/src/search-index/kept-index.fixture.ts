import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IndexedState, type SearchCriteria, SnapshotStore } from '#creator-index';
import { createLogger, type Logger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { until } from '#testing';
import { DataSource } from 'typeorm';
import { type CatalogFixture, openCatalog, siteUrl } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { catalogMigrationOptions } from '../data-source.js';
import { BitmapSearchEngine } from '../search/bitmap-search-engine.js';
import { InProcessBuilder } from './in-process-builder.fixture.js';
import { IndexMemory } from './index-memory.js';
import { type IndexProgress } from './index-source.js';
import { SearchIndexManager, type SearchIndexManagerOptions } from './search-index-manager.js';

const everything: SearchCriteria = { words: [], limit: 10_000 };

/** Counts the reads of the whole catalog. */
class CountingBuilder extends InProcessBuilder {
  readings = 0;

  override read(progress: IndexProgress): Promise<IndexedState> {
    this.readings += 1;
    return super.read(progress);
  }
}

/** A replica's manager, with separate connections. */
export interface KeptIndex {
  readonly manager: SearchIndexManager;
  readonly builder: CountingBuilder;
  readonly logger: Logger;
  open(): Promise<void>;
  close(): Promise<void>;
  /** The total and the slugs of all creators. */
  found(): Promise<{ total: number; slugs: string[] }>;
}

/** A catalog for each test, with a directory for snapshots; its replicas are closed after the test. */
export interface KeptCatalog {
  readonly fixture: CatalogFixture;
  readonly snapshots: SnapshotStore;
  replica(options?: Partial<SearchIndexManagerOptions>): Promise<KeptIndex>;
  /** Imports a creator for each slug. */
  importSlugs(...slugs: string[]): Promise<unknown>;
  /** Resolves when the index has exactly the creators of the table, with the same data. */
  untilSame(index: KeptIndex): Promise<void>;
  /** The state in the manifest on disk; `null` without one. */
  savedState(): Promise<IndexedState | null>;
  state(): Promise<IndexedState>;
}

export function useKeptCatalog(): () => KeptCatalog {
  let catalog: KeptCatalog;
  let closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    const fixture = await openCatalog();
    const directory = await mkdtemp(join(tmpdir(), 'index-'));
    closing = [() => rm(directory, { recursive: true }), () => fixture.close()];
    const replica: KeptCatalog['replica'] = async (options = {}) => {
      const kept = await prepare(fixture.url, options);
      closing.push(() => kept.close());
      return kept;
    };
    catalog = { fixture, snapshots: new SnapshotStore(directory), replica, ...comparing(fixture, directory) };
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  return () => catalog;
}

async function prepare(url: string, options: Partial<SearchIndexManagerOptions>): Promise<KeptIndex> {
  const dataSource = await new DataSource(catalogMigrationOptions(url)).initialize();
  const transactions = new TransactionRunner(dataSource);
  const builder = new CountingBuilder(url);
  const logger = createLogger({ service: 'catalog', level: 'silent', pretty: false });
  const manager = new SearchIndexManager({
    query: transactions.query,
    builder,
    memory: new IndexMemory(Infinity, logger),
    siteUrl,
    logger,
    snapshots: null,
    followEveryMs: 10,
    ...options,
  });
  const engine = new BitmapSearchEngine(() => manager.index);
  let opened: Promise<void> | null = null;
  let isClosed = false;
  return {
    manager,
    builder,
    logger,
    open: () => (opened ??= manager.open()),
    async close() {
      if (isClosed) return;
      isClosed = true;
      await opened?.catch(() => undefined);
      await manager.close();
      await dataSource.destroy();
    },
    async found() {
      const { total, creators } = await engine.search(everything);
      const entries = JSON.parse(creators.toString()) as { slug: string }[];
      return { total, slugs: entries.map(({ slug }) => slug) };
    },
  };
}

/** The documents of an index that are in segments and not deleted. */
export function liveInSegments({ manager }: KeptIndex): number {
  const segments = manager.index?.segmentsInUse ?? [];
  return segments.reduce((sum, { segment, gone }) => sum + segment.size - gone.count, 0);
}

/** On a machine with nothing else to do it takes a second or two. */
const followedWithinMs = 30_000;

function comparing(
  fixture: CatalogFixture,
  directory: string,
): Omit<KeptCatalog, 'fixture' | 'snapshots' | 'replica'> {
  const { engines, query } = fixture;
  return {
    importSlugs: (...slugs) => fixture.importRecords(slugs.map((slug) => recordOf(slug))),
    async untilSame({ manager }) {
      const engine = new BitmapSearchEngine(() => manager.index);
      await until(async () => {
        const [mine, theirs] = [await engine.search(everything), await engines.sql.search(everything)];
        return mine.total === theirs.total && mine.creators.equals(theirs.creators);
      }, followedWithinMs);
    },
    async savedState() {
      const text = await readFile(join(directory, 'index.json'), 'utf8').catch(() => 'null');
      return JSON.parse(text) as IndexedState | null;
    },
    async state() {
      const [row] = await query<{ id: string; revision: string }>(
        'SELECT catalog_id AS id, revision FROM catalog_state',
      );
      return { catalogId: row?.id ?? '', revision: Number(row?.revision) };
    },
  };
}
