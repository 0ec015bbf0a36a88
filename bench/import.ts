import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type CreatorRecord } from '@app/contracts';
import { migrate } from '@app/platform';
import { startPostgres } from '@app/testing';
import { DataSource } from 'typeorm';
import {
  catalogDataSourceOptions,
  catalogMigrationOptions,
} from '../apps/catalog/src/database/data-source.js';
import { readingFrom } from '../apps/catalog/src/database/query.js';
import { ImportService } from '../apps/catalog/src/import/import.service.js';
import { ThreadedPreparer } from '../apps/catalog/src/import/threaded-preparer.js';
import { applySqlSearchIndexes } from '../apps/catalog/src/search/sql-search-indexes.js';
import { generateCreators } from '../tools/generator/generate-creators.js';

/** Creators a second through one catalog: into an empty one, when all of them change, and when none does. */
const { values: given } = parseArgs({
  options: {
    creators: { type: 'string', default: '100000' },
    engine: { type: 'string', default: 'bitmap' },
    json: { type: 'string' },
  },
});
const creators = Number(given.creators);
const importWorker = '../apps/catalog/src/import/import-worker.js';
const linesPerChunk = 1_000;
/** As many as the gateway has under way. */
const atOnce = 2;

type Change = (record: CreatorRecord) => CreatorRecord;

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const migrations = await new DataSource(catalogMigrationOptions(postgres.url())).initialize();
    await migrate(migrations, () => applySqlSearchIndexes(readingFrom(migrations), given.engine === 'sql'));
    await migrations.destroy();
    const options = catalogDataSourceOptions({ url: postgres.url(), poolSize: 4 });
    const dataSource = await new DataSource(options).initialize();
    const preparer = new ThreadedPreparer(new URL(importWorker, import.meta.url));
    const imports = new ImportService(dataSource, preparer);
    const rows = [
      await measure('empty catalog', imports, (record) => record),
      await measure('all changed', imports, changed),
      await measure('none changed', imports, changed),
    ];
    await preparer.close();
    await dataSource.destroy();
    if (given.json) writeFileSync(given.json, `${JSON.stringify({ creators, rows }, null, 2)}\n`);
  } finally {
    await postgres.stop();
  }
}

function changed(record: CreatorRecord): CreatorRecord {
  const platforms = record.platforms.map((account) => ({ ...account, followers: account.followers + 1 }));
  return { ...record, name: `${record.name} II`, platforms };
}

async function measure(name: string, imports: ImportService, change: Change) {
  const chunks = makeChunks(change);
  const importId = randomUUID();
  const startedAt = performance.now();
  const sent: Promise<unknown>[] = [];
  for (const [seq, bytes] of chunks.entries()) {
    sent.push(imports.importChunk({ import_id: importId, seq, first_line: seq * linesPerChunk + 1 }, bytes));
    if (sent.length >= atOnce) await sent[seq + 1 - atOnce];
  }
  await Promise.all(sent);
  const seconds = (performance.now() - startedAt) / 1_000;
  await imports.finish(importId);
  const perSecond = Math.round(creators / seconds);
  process.stdout.write(`${name.padEnd(14)} ${String(perSecond).padStart(7)} creators/s\n`);
  return { name, perSecond };
}

function makeChunks(change: Change): Buffer[] {
  const chunks: Buffer[] = [];
  let lines: string[] = [];
  for (const record of generateCreators({ count: creators, seed: 1 })) {
    lines.push(`${JSON.stringify(change(record))}\n`);
    if (lines.length < linesPerChunk) continue;
    chunks.push(Buffer.from(lines.join('')));
    lines = [];
  }
  if (lines.length > 0) chunks.push(Buffer.from(lines.join('')));
  return chunks;
}

await main();
