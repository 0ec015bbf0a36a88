import { type IndexedState, type SearchCriteria } from '#creator-index';
import { createLogger } from '#platform';
import { TransactionRunner } from '#platform/database';
import { until } from '#testing';
import { DataSource } from 'typeorm';
import { type CatalogFixture, openCatalog, siteUrl } from '../catalog.fixture.js';
import { recordOf } from '../creators/creator-records.fixture.js';
import { catalogMigrationOptions } from '../data-source.js';
import { BitmapSearchEngine } from '../search/bitmap-search-engine.js';
import { InProcessBuilder } from './in-process-builder.fixture.js';
import { IndexMemory } from './index-memory.js';
import { type TakeSegment } from './index-source.js';
import { SearchIndexManager, type SearchIndexManagerOptions } from './search-index-manager.js';

const everything: SearchCriteria = { words: [], limit: 10_000 };

/** Counts the reads of the whole catalog. */
class CountingBuilder extends InProcessBuilder {
  readings = 0;

  override read(take: TakeSegment): Promise<IndexedState> {
    this.readings += 1;
    return super.read(take);
  }
}

export type KeptIndex = Awaited<ReturnType<typeof prepare>>;
type KeptCatalog = ReturnType<typeof keptCatalog>;

/** A catalog for each test; its replicas are closed after the test. */
export function useKeptCatalog(): () => KeptCatalog {
  let catalog: KeptCatalog;
  let closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    const fixture = await openCatalog();
    closing = [() => fixture.close()];
    catalog = keptCatalog(fixture, closing);
  });
  afterEach(async () => {
    for (const close of closing.reverse()) await close();
  });

  return () => catalog;
}

/** A replica's manager, with separate connections. */
async function prepare(url: string, options: Partial<SearchIndexManagerOptions>) {
  const dataSource = await new DataSource(catalogMigrationOptions(url)).initialize();
  const transactions = new TransactionRunner(dataSource);
  const builder = new CountingBuilder(url);
  const logger = createLogger({ service: 'catalog', level: 'silent', pretty: false });
  const manager = new SearchIndexManager({
    query: transactions.query,
    builder,
    memory: new IndexMemory(Infinity),
    siteUrl,
    logger,
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
    open: (): Promise<void> => (opened ??= manager.open()),
    async close(): Promise<void> {
      if (isClosed) return;
      isClosed = true;
      await opened?.catch(() => undefined);
      await manager.close();
      await dataSource.destroy();
    },
    /** The total and the slugs of all creators. */
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

function keptCatalog(fixture: CatalogFixture, closing: (() => Promise<void>)[]) {
  const { engines } = fixture;
  return {
    fixture,
    async replica(options: Partial<SearchIndexManagerOptions> = {}): Promise<KeptIndex> {
      const kept = await prepare(fixture.url, options);
      closing.push(() => kept.close());
      return kept;
    },
    /** Imports a creator for each slug. */
    importSlugs: (...slugs: string[]) => fixture.importRecords(slugs.map((slug) => recordOf(slug))),
    /** Resolves when the index has exactly the creators of the table, with the same data. */
    async untilSame({ manager }: KeptIndex): Promise<void> {
      const engine = new BitmapSearchEngine(() => manager.index);
      await until(async () => {
        const [mine, theirs] = [await engine.search(everything), await engines.sql.search(everything)];
        return mine.total === theirs.total && mine.creators.equals(theirs.creators);
      }, followedWithinMs);
    },
  };
}
