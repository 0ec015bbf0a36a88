import { randomUUID } from 'node:crypto';
import { type ImportOrigin, type ImportReport, type ImportRules } from '#contracts';
import { EntryWriter, type IndexedState } from '#creator-index';
import {
  AdminLogRepository,
  autocommitQuery,
  type ChangeContext,
  type Query,
  TransactionRunner,
} from '#platform/database';
import { createTestDatabase } from '#testing';
import { DataSource } from 'typeorm';
import { CreatorsRepository } from './creators/creators.repository.js';
import { CreatorWriter } from './creators/creator-writer.js';
import { CreatorJson } from './creators/creator-json.js';
import { catalogDataSourceOptions, catalogMigrationOptions } from './data-source.js';
import { JoinService } from './duplicates/join.service.js';
import { grants } from './database/grants.js';
import { migrations } from './database/migrations/index.js';
import { importServiceOn, importsOn } from './import/import.fixture.js';
import { ImportUndo } from './import/import-undo.js';
import { type ChunkPurpose } from './import/import.service.js';
import { CreatorsService } from './profiles/creators.service.js';
import { RemovalsRepository } from './removals/removals.repository.js';
import { RemovalsService } from './removals/removals.service.js';
import { ProfilesService } from './profiles/profiles.service.js';
import { FollowedEngine } from './search/followed-engine.fixture.js';
import { SqlSearchEngine } from './search/sql-search-engine.js';
import { applySqlSearchIndexes } from './search/sql-indexes.js';

export const siteUrl = 'https://site.example';

export const replaceRules: ImportRules = { mode: 'replace', move_accounts: false };

/** The engines of a search, each of which has to give the same results. */
export const engineNames = ['sql', 'bitmap'] as const;
export type CatalogFixture = Awaited<ReturnType<typeof openCatalog>>;

interface FileOptions extends Partial<ImportRules>, ImportOrigin {
  readonly perChunk?: number;
  readonly purpose?: ChunkPurpose;
  readonly by?: ChangeContext;
}

/**
 * A separate catalog on real PostgreSQL, which finds creators by the index of a filter wherever one can answer if that is preferred,
 * as it would in a large catalog.
 */
export async function openCatalog({ preferIndexes = false } = {}) {
  const database = await createTestDatabase({ name: 'catalog', migrations, grants });
  if (preferIndexes) {
    // Bitmap scans remain, the only way in which the indexes of words, languages and categories are read.
    const name = new URL(database.url).pathname.slice(1);
    for (const scan of ['seqscan', 'indexscan', 'indexonlyscan']) {
      await withDatabase(database.url, (query) =>
        query('alter', `ALTER DATABASE ${name} SET enable_${scan} = off`),
      );
    }
  }
  await withDatabase(database.url, (query) => applySqlSearchIndexes(query, preferIndexes));
  const open = (url: string) => new DataSource(catalogDataSourceOptions(url, 6)).initialize();
  const [dataSource, second, owner] = await Promise.all([
    open(database.runtimeUrl),
    open(database.runtimeUrl),
    open(database.url),
  ]);
  const creators = new CreatorsRepository();
  const json = new CreatorJson({ SITE_URL: siteUrl });
  const transactions = new TransactionRunner(dataSource);
  const writer = new CreatorWriter(creators);
  /** With the state that a test chooses; at first as without an index. */
  const index: { currentState: IndexedState | undefined; full: string | null } = {
    currentState: undefined,
    full: null,
  };
  const asOwner = autocommitQuery(owner);
  const engines = {
    sql: new SqlSearchEngine(transactions, creators, new EntryWriter(siteUrl)),
    bitmap: new FollowedEngine(dataSource, database.runtimeUrl, siteUrl),
  };
  const searches = Object.assign(index, { wake: () => undefined });
  const importsOf = (on: DataSource) => importServiceOn(on, undefined, {}, searches);
  /** Two services with separate connections, like two replicas. */
  const imports = [importsOf(dataSource), importsOf(second)] as const;
  /** Imports lines as one chunk of a separate import. */
  const importLines = (lines: readonly (string | Buffer)[], rules = replaceRules) =>
    imports[0].importChunk({ import_id: randomUUID(), seq: 0, first_line: 1, ...rules }, chunkOf(lines));
  return {
    /** Connects as the owner of the tables, as `query` does. */
    url: database.url,
    /** With the role that the catalog runs with. */
    dataSource,
    query: <Row>(sql: string, parameters?: unknown[]): Promise<Row[]> => asOwner('test', sql, parameters),
    imports,
    creators: new CreatorsService(transactions, creators, writer, json, index),
    removals: new RemovalsService(
      transactions,
      new RemovalsRepository(creators),
      creators,
      new AdminLogRepository(),
    ),
    joins: new JoinService(transactions, creators, writer, json),
    undoing: new ImportUndo(transactions, importsOn(dataSource), creators, writer),
    profiles: new ProfilesService(transactions, creators, json, index),
    index,
    engines,
    importLines,
    /** Imports records in their order as one import; by default at once, whole creators, and stored. */
    async importFile(records: readonly object[], options: FileOptions = {}) {
      const { perChunk = records.length, purpose, by, ...rules } = options;
      const id = randomUUID();
      const reports: ImportReport[] = [];
      for (let first = 0; first < records.length; first += perChunk) {
        const chunk = {
          import_id: id,
          seq: reports.length,
          first_line: first + 1,
          ...replaceRules,
          ...rules,
        };
        const lines = records.slice(first, first + perChunk).map((record) => JSON.stringify(record));
        reports.push(await imports[0].importChunk(chunk, chunkOf(lines), by, purpose));
      }
      await imports[0].finish(id);
      return { id, reports };
    },
    importRecords: (records: readonly object[], rules?: ImportRules) =>
      importLines(
        records.map((record) => JSON.stringify(record)),
        rules,
      ),
    async close(): Promise<void> {
      await engines.bitmap.close();
      await Promise.all([dataSource, second, owner].map((each) => each.destroy()));
      await database.drop();
    },
  };
}

async function withDatabase(url: string, work: (query: Query) => Promise<unknown>): Promise<void> {
  const dataSource = await new DataSource(catalogMigrationOptions(url)).initialize();
  await work(autocommitQuery(dataSource));
  await dataSource.destroy();
}

/** The bytes of a chunk: whole lines. */
export function chunkOf(lines: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
}
