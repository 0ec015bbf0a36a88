import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type CreatorRecord, type ImportRules } from '#contracts';
import { type PostgresServer, startPostgres } from '#dev';
import { DataSource } from 'typeorm';
import { type CreatorContent } from '../apps/catalog/src/creators/creator.js';
import { type CreatorRow } from '../apps/catalog/src/creators/creator-row.js';
import { catalogDataSourceOptions } from '../apps/catalog/src/data-source.js';
import { importServiceOn } from '../apps/catalog/src/import/import.fixture.js';
import { type ImportService } from '../apps/catalog/src/import/import.service.js';
import { type ChunkPreparer, type PreparedChunk } from '../apps/catalog/src/import/prepare-chunk.js';
import { ThreadedPreparer } from '../apps/catalog/src/import/import.module.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { readOptions } from './harness/read-options.js';
import { cpuMs } from './harness/usage.js';
import { createCatalog } from './harness/catalog-database.js';

/**
 * Creators a second through one catalog: into an empty one, when all of them change, and when none does; as one import
 * or as many. And how long the
 * thread that searches takes to hand chunks over to the one that reads them. With removals also through a second catalog, in
 * which so many others were removed, in turns.
 */
const given = readOptions('import', {
  creators: { type: 'string', default: '100000' },
  engine: { type: 'string', default: 'bitmap' },
  removals: { type: 'string', default: '0' },
  imports: { type: 'string', default: '1' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const removals = Number(given.removals);
const importWorker = '../apps/catalog/src/import/import-worker.js';
const replacing = { mode: 'replace', move_accounts: false } as const;
const linesPerChunk = 1_000;
/** Chunks at once, as many as the gateway sends. */
const atOnce = 2;

/** The Redis client gives parts of memory that is at least so many times as large. */
const memoryOfChunk = 3;

type Change = (record: CreatorRecord) => CreatorRecord;

/** Measures what chunks cost the thread that hands them over: it does nothing for them after that. */
class TimedPreparer implements ChunkPreparer {
  private ms = 0;
  private megabytes = 0;

  constructor(private readonly preparer: ChunkPreparer) {}

  prepare(bytes: Buffer, firstLine: number, rules: ImportRules): Promise<PreparedChunk> {
    const startedAt = performance.now();
    const prepared = this.preparer.prepare(bytes, firstLine, rules);
    this.ms += performance.now() - startedAt;
    this.megabytes += bytes.length / 1e6;
    return prepared;
  }

  rows(creators: readonly CreatorContent[]): Promise<CreatorRow[]> {
    return this.preparer.rows(creators);
  }

  close(): Promise<void> {
    return this.preparer.close();
  }

  get handOverMsPerMb(): number {
    return Number((this.ms / this.megabytes).toFixed(3));
  }
}

interface Catalog {
  readonly removals: number;
  readonly dataSource: DataSource;
  readonly imports: ImportService;
}

const cases: readonly (readonly [string, Change])[] = [
  ['empty catalog', (record) => record],
  ['all changed', changed],
  ['none changed', changed],
];

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const preparer = new TimedPreparer(new ThreadedPreparer(new URL(importWorker, import.meta.url)));
    const catalogs: Catalog[] = [];
    for (const count of new Set([0, removals])) catalogs.push(await openCatalog(postgres, preparer, count));
    const rows = [];
    for (const [name, change] of cases) {
      for (const catalog of catalogs) rows.push(await measure(postgres, name, catalog, change));
    }
    await preparer.close();
    for (const { dataSource } of catalogs) await dataSource.destroy();
    const { handOverMsPerMb } = preparer;
    process.stdout.write(`hand-over of chunks ${handOverMsPerMb} ms/MB\n`);
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ creators, rows, handOverMsPerMb }, null, 2)}\n`);
    }
  } finally {
    await postgres.stop();
  }
}

/** A catalog without creators, in which so many were removed. */
async function openCatalog(
  postgres: PostgresServer,
  preparer: ChunkPreparer,
  removed: number,
): Promise<Catalog> {
  const url = await createCatalog(postgres, removed, given.engine === 'sql');
  const dataSource = await new DataSource(catalogDataSourceOptions(url, 4)).initialize();
  await dataSource.query(removeAllSql);
  await dataSource.query('DELETE FROM creators');
  await dataSource.query('DELETE FROM creator_accounts');
  // As autovacuum does within a minute.
  await dataSource.query('ANALYZE removals, removal_keys');
  return { removals: removed, dataSource, imports: importServiceOn(dataSource, preparer) };
}

/** Removes everyone, by names that none of those to be imported has. */
const removeAllSql = `
  WITH removed AS MATERIALIZED (SELECT gen_random_uuid() AS id, slug, account_keys FROM creators), added AS (
    INSERT INTO removals (id, reference, deleted) SELECT id, 'benchmark', '{}' FROM removed
  ), kept_out AS (
    INSERT INTO removal_keys (hash, removal_id, kind)
    SELECT removal_hash((SELECT removal_secret FROM catalog_state), key || '/removed'), id, 'slug'
    FROM removed CROSS JOIN unnest(array_append(account_keys, 'slug/' || slug)) AS key
  )
  UPDATE catalog_state SET removals = (SELECT count(*) FROM removed)`;

function changed(record: CreatorRecord): CreatorRecord {
  const platforms = record.platforms.map((account) => ({ ...account, followers: account.followers + 1 }));
  return { ...record, name: `${record.name} II`, platforms };
}

async function measure(
  postgres: PostgresServer,
  name: string,
  { removals, imports }: Catalog,
  change: Change,
) {
  const chunks = makeChunks(change);
  const perImport = Math.ceil(chunks.length / Number(given.imports));
  const usedBefore = usedMs(postgres);
  const startedAt = performance.now();
  for (let first = 0; first < chunks.length; first += perImport) {
    await importChunks(imports, chunks.slice(first, first + perImport));
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const perSecond = Math.round(creators / seconds);
  const removed = removals === 0 ? '' : `, ${removals} removals`;
  const usedMicros = usedMs(postgres).map((ms, at) =>
    Math.round(((ms - (usedBefore[at] ?? 0)) / creators) * 1_000),
  );
  const [catalogMicros, postgresMicros] = usedMicros;
  const cpu = `CPU of the catalog ${catalogMicros}, of PostgreSQL ${postgresMicros} µs each`;
  process.stdout.write(`${String(perSecond).padStart(7)} creators/s: ${name}${removed}; ${cpu}\n`);
  return { name, removals, perSecond, catalogMicros, postgresMicros };
}

/** CPU milliseconds used so far: of this process with its threads, and of PostgreSQL. */
function usedMs({ pid }: PostgresServer): [catalog: number, postgres: number] {
  const { user, system } = process.cpuUsage();
  return [(user + system) / 1_000, cpuMs(pid)];
}

/** One import, with its clean-up. */
async function importChunks(imports: ImportService, chunks: readonly Buffer[]): Promise<void> {
  const importId = randomUUID();
  const sent: Promise<unknown>[] = [];
  for (const [seq, bytes] of chunks.entries()) {
    const chunk = { import_id: importId, seq, first_line: seq * linesPerChunk + 1, ...replacing };
    sent.push(imports.importChunk(chunk, asReceived(bytes)));
    if (sent.length >= atOnce) await sent[seq + 1 - atOnce];
  }
  await Promise.all(sent);
  await imports.finish(importId);
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
