import { randomUUID } from 'node:crypto';
import { type CreatorRecord } from '#contracts';
import { type PostgresServer } from '#dev';
import { autocommitQuery, migrate } from '#platform/database';
import { DataSource } from 'typeorm';
import { catalogDataSourceOptions, catalogMigrationOptions } from '../../apps/catalog/src/data-source.js';
import { importServiceOn } from '../../apps/catalog/src/import/import.fixture.js';
import { type ImportService } from '../../apps/catalog/src/import/import.service.js';
import { ThreadedPreparer } from '../../apps/catalog/src/import/import.module.js';
import { applySqlSearchIndexes } from '../../apps/catalog/src/search/sql-indexes.js';
import { generateCreators } from '../../tools/generator/generate-creators.js';
import { growCatalog, importedCreators } from './grow-catalog.js';

const importWorker = '../../apps/catalog/src/import/import-worker.js';
const linesPerChunk = 1_000;

/** What a catalog of a benchmark is to have. */
interface Filled {
  readonly creators: number;
  /** Whether the indexes of the SQL engine are made. */
  readonly withSqlIndexes: boolean;
  /** So many are imported at most; the others are copies of them. */
  readonly imported?: number;
  /** Between the migration and the import. */
  readonly distribute?: () => Promise<void>;
}

/** A migrated catalog database with so many made-up creators, with the indexes of the SQL engine or without. */
export async function createCatalog(
  postgres: PostgresServer,
  creators: number,
  withSqlIndexes: boolean,
  imported = importedCreators,
): Promise<string> {
  const name = `catalog_${creators}`;
  const url = postgres.url(name);
  const admin = await new DataSource(catalogMigrationOptions(postgres.url())).initialize();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.destroy();
  await fillCatalog(url, { creators, withSqlIndexes, imported });
  return url;
}

/**
 * Migrates an empty database and fills it. The indexes of the SQL engine are created before the import, as an operator does, or
 * after copying, which is faster.
 */
export async function fillCatalog(
  url: string,
  { creators, withSqlIndexes, imported = importedCreators, distribute = () => Promise.resolve() }: Filled,
): Promise<void> {
  const migrations = await new DataSource(catalogMigrationOptions(url)).initialize();
  const query = autocommitQuery(migrations);
  const isCopied = creators > imported;
  await migrate(migrations, () => applySqlSearchIndexes(query, withSqlIndexes && !isCopied));
  await distribute();
  await importInto(url, generateCreators({ count: Math.min(creators, imported), seed: 1 }));
  if (isCopied) {
    await growCatalog(url, creators, imported);
    await applySqlSearchIndexes(query, withSqlIndexes);
  }
  await migrations.query('VACUUM ANALYZE creators');
  await migrations.destroy();
}

/** An import as a catalog does it. */
export async function importInto(url: string, records: Iterable<CreatorRecord>): Promise<void> {
  const dataSource = await new DataSource(catalogDataSourceOptions(url, 4)).initialize();
  const preparer = new ThreadedPreparer(new URL(importWorker, import.meta.url));
  await importAll(importServiceOn(dataSource, preparer), records);
  await preparer.close();
  await dataSource.destroy();
}

/** Two chunks at a time, as the gateway sends them: while one is stored, the next one is read. */
async function importAll(imports: ImportService, records: Iterable<CreatorRecord>): Promise<void> {
  const importId = randomUUID();
  const sent: Promise<unknown>[] = [];
  let seq = 0;
  for (const lines of chunks(records)) {
    const rules = { mode: 'replace', move_accounts: false } as const;
    const chunk = { import_id: importId, seq, first_line: seq * linesPerChunk + 1, ...rules };
    sent.push(imports.importChunk(chunk, Buffer.from(lines)));
    if (sent.length > 1) await sent[seq - 1];
    seq += 1;
  }
  await Promise.all(sent);
  await imports.finish(importId);
}

function* chunks(records: Iterable<CreatorRecord>): Generator<string> {
  let lines: string[] = [];
  for (const creator of records) {
    lines.push(`${JSON.stringify(creator)}\n`);
    if (lines.length < linesPerChunk) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}
