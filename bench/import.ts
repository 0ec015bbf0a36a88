import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type CreatorRecord } from '@app/contracts';
import { autocommitQuery, migrate } from '@app/platform/database';
import { startPostgres } from '@app/local-stack';
import { DataSource } from 'typeorm';
import {
  catalogDataSourceOptions,
  catalogMigrationOptions,
} from '../apps/catalog/src/database/data-source.js';
import { entities } from '../apps/catalog/src/entities.js';
import { importServiceOn } from '../apps/catalog/src/import/import.fixture.js';
import { type ImportService } from '../apps/catalog/src/import/import.service.js';
import { type ChunkPreparer, type PreparedChunk } from '../apps/catalog/src/import/prepare-chunk.js';
import { ThreadedPreparer } from '../apps/catalog/src/import/threaded-preparer.js';
import { applySqlSearchIndexes } from '../apps/catalog/src/search/sql-indexes.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { readOptions } from './read-options.js';

/**
 * Creators a second through one catalog: into an empty one, when all of them change, and when none does. And how long the
 * thread that searches takes to hand chunks over to the one that reads them.
 */
const given = readOptions('import', {
  creators: { type: 'string', default: '100000' },
  engine: { type: 'string', default: 'bitmap' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const importWorker = '../apps/catalog/src/import/import-worker.js';
const linesPerChunk = 1_000;
/** As many as the gateway has under way. */
const atOnce = 2;

/** The Redis client gives parts of memory that is at least so many times as large. */
const memoryOfChunk = 3;

type Change = (record: CreatorRecord) => CreatorRecord;

/** Measures what chunks cost the thread that hands them over: it does nothing for them after that. */
class TimedPreparer implements ChunkPreparer {
  private ms = 0;
  private megabytes = 0;

  constructor(private readonly preparer: ChunkPreparer) {}

  prepare(bytes: Buffer, firstLine: number): Promise<PreparedChunk> {
    const startedAt = performance.now();
    const prepared = this.preparer.prepare(bytes, firstLine);
    this.ms += performance.now() - startedAt;
    this.megabytes += bytes.length / 1e6;
    return prepared;
  }

  close(): Promise<void> {
    return this.preparer.close();
  }

  get handOverMsPerMb(): number {
    return Number((this.ms / this.megabytes).toFixed(3));
  }
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const migrations = await new DataSource(catalogMigrationOptions(postgres.url())).initialize();
    await migrate(migrations, () =>
      applySqlSearchIndexes(autocommitQuery(migrations), given.engine === 'sql'),
    );
    await migrations.destroy();
    const options = catalogDataSourceOptions({ url: postgres.url(), poolSize: 4, entities });
    const dataSource = await new DataSource(options).initialize();
    const preparer = new TimedPreparer(new ThreadedPreparer(new URL(importWorker, import.meta.url)));
    const imports = importServiceOn(dataSource, preparer);
    const rows = [
      await measure('empty catalog', imports, (record) => record),
      await measure('all changed', imports, changed),
      await measure('none changed', imports, changed),
    ];
    await preparer.close();
    await dataSource.destroy();
    const { handOverMsPerMb } = preparer;
    process.stdout.write(`hand-over of chunks ${handOverMsPerMb} ms/MB\n`);
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ creators, rows, handOverMsPerMb }, null, 2)}\n`);
    }
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
    const chunk = { import_id: importId, seq, first_line: seq * linesPerChunk + 1 };
    sent.push(imports.importChunk(chunk, asReceived(bytes)));
    if (sent.length >= atOnce) await sent[seq + 1 - atOnce];
  }
  await Promise.all(sent);
  const seconds = (performance.now() - startedAt) / 1_000;
  await imports.finish(importId);
  const perSecond = Math.round(creators / seconds);
  process.stdout.write(`${name.padEnd(14)} ${String(perSecond).padStart(7)} creators/s\n`);
  return { name, perSecond };
}

function asReceived(bytes: Buffer): Buffer {
  const memory = Buffer.allocUnsafe(bytes.length * memoryOfChunk);
  bytes.copy(memory);
  return memory.subarray(0, bytes.length);
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
