import { randomUUID } from 'node:crypto';
import { type PostgresServer } from '#dev';
import { autocommitQuery, migrate } from '#platform/database';
import { DataSource } from 'typeorm';
import { catalogDataSourceOptions, catalogMigrationOptions } from '../../apps/catalog/src/data-source.js';
import { importServiceOn } from '../../apps/catalog/src/import/import.fixture.js';
import { ChunkPreparer } from '../../apps/catalog/src/import/chunk-preparer.js';
import { applySqlSearchIndexes } from '../../apps/catalog/src/search/sql-indexes.js';
import { generateCreators } from '../../tools/generator/generate-creators.js';
import { linesPerPiece, ndjson } from '../../tools/generator/ndjson.js';

/** Its thread runs a compiled file. */
const catalogFolder = '../../apps/catalog/src/';

/** A migrated catalog database with so many generated creators, with the indexes of the SQL engine or without. */
export async function createCatalog(
  postgres: PostgresServer,
  creators: number,
  withSqlIndexes: boolean,
): Promise<string> {
  const name = `catalog_${creators}`;
  const url = postgres.url(name);
  const admin = await new DataSource(catalogMigrationOptions(postgres.url())).initialize();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.destroy();
  const migrations = await new DataSource(catalogMigrationOptions(url)).initialize();
  const query = autocommitQuery(migrations);
  await migrate(migrations, () => applySqlSearchIndexes(query, withSqlIndexes));
  const imports = await openImports(url);
  if (creators > 0) await imports.importAll(ndjson(generateCreators({ count: creators, seed: 1 })));
  await imports.close();
  await migrations.query('VACUUM ANALYZE creators');
  await migrations.destroy();
  return url;
}

/** Imports as a catalog does them, two chunks at a time, as the gateway sends them. */
export async function openImports(url: string) {
  const dataSource = await new DataSource(catalogDataSourceOptions(url, 4)).initialize();
  const preparer = new ChunkPreparer(new URL(catalogFolder, import.meta.url).href);
  const service = importServiceOn(dataSource, preparer);
  return {
    async importAll(chunks: Iterable<Buffer>): Promise<void> {
      const importId = randomUUID();
      const sent: Promise<unknown>[] = [];
      let seq = 0;
      for (const lines of chunks) {
        const rules = { mode: 'replace', move_accounts: false } as const;
        const chunk = { import_id: importId, seq, first_line: seq * linesPerPiece + 1, ...rules };
        sent.push(service.importChunk(chunk, lines));
        if (sent.length > 1) await sent[seq - 1];
        seq += 1;
      }
      await Promise.all(sent);
      await service.finish(importId);
    },
    async close(): Promise<void> {
      await preparer.onApplicationShutdown();
      await dataSource.destroy();
    },
  };
}
