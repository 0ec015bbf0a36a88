import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type CreatorRecord } from '@app/contracts';
import { type PostgresServer, withClient } from '@app/local-stack';
import { DataSource } from 'typeorm';
import { catalogMigrationOptions } from '../apps/catalog/src/database/data-source.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { ask } from './ask.js';
import { growCatalog, importedCreators } from './search/grow-catalog.js';
import { type Figures, type ReplicaTask, type Searched } from './index-memory/replica.js';
import { readOptions } from './read-options.js';
import { createCatalog, importInto } from './search/catalog-database.js';
import { drawSamples, drawShapes } from './search/queries.js';
import { cpuMs, memoryOf } from './stack/processes.js';
import { startDatabaseServer } from './whole-call/database-server.js';

/**
 * What the index costs one catalog: time and memory to start from the database and from its copy on disk, to write the
 * copy, to follow a change a second, and to follow an import while it is searched. The index is in a process of its own,
 * started as the image starts the catalog.
 */
const given = readOptions('index-memory', {
  creators: { type: 'string', default: '1000000,5000000' },
  'import-percent': { type: 'string', default: '1' },
  seconds: { type: 'string', default: '20' },
  data: { type: 'string' },
  json: { type: 'string' },
});
const measureMs = Number(given.seconds) * 1_000;
/** Longer than a thread without work lives. */
const settleMs = 8_000;
const seed = 1;

interface Started {
  readonly seconds: number;
  readonly peakMb: number;
  readonly steadyMb: number;
}

const figuresTask: ReplicaTask = { kind: 'figures' };

interface Followed {
  /** CPU time of the process, without changes and with one a second, ms each second. */
  readonly idleCpuMs: number;
  readonly followingCpuMs: number;
  readonly searches: Searched;
  readonly searchesDuringImport: Searched;
  readonly imported: { readonly creators: number; readonly seconds: number; readonly peakMb: number };
  readonly afterImport: { readonly indexMb: number; readonly steadyMb: number };
}

interface Row extends Followed {
  readonly creators: number;
  readonly indexMb: number;
  readonly fromDatabase: Started;
  readonly snapshot: { readonly seconds: number; readonly mb: number; readonly addedPeakMb: number };
  readonly fromSnapshot: Started;
}

async function main(): Promise<void> {
  const sizes = given.creators.split(',').map(Number);
  if (sizes.some((size, at) => size % importedCreators !== 0 || size <= (sizes[at - 1] ?? 0))) {
    throw new Error(`--creators takes ascending multiples of ${importedCreators}`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'bench-index-memory-'));
  const postgres = await startDatabaseServer({
    directory: given.data,
    settings: { synchronous_commit: 'off', max_wal_size: '4GB' },
  });
  const rows: Row[] = [];
  try {
    const url = await openCatalog(postgres);
    for (const size of sizes) {
      await growCatalog(url, size);
      rows.push(await measure(url, size, join(directory, String(size))));
    }
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** The database is kept with `--data`: storing millions of creators takes longer than measuring them. */
async function openCatalog(postgres: PostgresServer): Promise<string> {
  const name = `catalog_${importedCreators}`;
  const { rowCount } = await withClient(postgres.url(), (client) =>
    client.query('SELECT FROM pg_database WHERE datname = $1', [name]),
  );
  return rowCount === 1 ? postgres.url(name) : createCatalog(postgres, importedCreators, false);
}

async function measure(url: string, creators: number, directory: string): Promise<Row> {
  const first = startReplica();
  const fromDatabase = await start(first, { kind: 'open', url, directory, loads: false });
  const { indexBytes, creators: published } = await ask<Figures>(first, figuresTask);
  const each = Math.round(indexBytes / published);
  print(
    `${creators} creators`,
    `${published} published, ${mbOf(indexBytes / 1e6)} in segments, ${each} bytes each`,
  );
  print('start from the database', startedAs(fromDatabase));
  forgetPeak(first);
  const { seconds } = await ask<{ seconds: number }>(first, { kind: 'save' } satisfies ReplicaTask);
  const snapshot = { seconds, mb: sizeOf(directory), addedPeakMb: peakOf(first) - fromDatabase.steadyMb };
  print(
    'copy to disk',
    secondsOf(seconds),
    mbOf(snapshot.mb),
    `${mbOf(snapshot.addedPeakMb)} more memory meanwhile`,
  );
  first.kill();

  const replica = startReplica();
  const fromSnapshot = await start(replica, { kind: 'open', url, directory, loads: true });
  print('start from the copy', startedAs(fromSnapshot));
  const followed = await follow(replica, url, creators);
  replica.kill();
  return {
    creators: published,
    indexMb: indexBytes / 1e6,
    fromDatabase,
    snapshot,
    fromSnapshot,
    ...followed,
  };
}

/** What changes cost, a few and many. */
async function follow(replica: ChildProcess, url: string, creators: number): Promise<Followed> {
  const idleCpuMs = await cpuPerSecond(replica, () => wait(measureMs));
  const followingCpuMs = await cpuPerSecond(replica, () => changeEverySecond(url));
  print(
    'CPU a second',
    `${followingCpuMs.toFixed(1)} ms with a change a second, ${idleCpuMs.toFixed(1)} ms without`,
  );
  const queries = await drawQueries(url);
  const searches = await searchWhile(replica, queries, () => wait(measureMs));
  print('searches', searchedAs(searches));
  const count = Math.round((creators * Number(given['import-percent'])) / 100);
  forgetPeak(replica);
  const startedAt = performance.now();
  const searchesDuringImport = await searchWhile(replica, queries, async () => {
    await importInto(url, changed(count, creators));
    await untilFollowed(replica, url);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const imported = { creators: count, seconds, peakMb: peakOf(replica) };
  print(
    'searches during an import',
    searchedAs(searchesDuringImport),
    `${count} changed in ${secondsOf(seconds)}`,
  );
  await wait(settleMs);
  const { indexBytes } = await ask<Figures>(replica, figuresTask);
  const afterImport = { indexMb: indexBytes / 1e6, steadyMb: memoryOf(pidOf(replica)).nowMb };
  print(
    'memory of the import',
    `at most ${mbOf(imported.peakMb)}, then ${mbOf(afterImport.steadyMb)}, of it ${mbOf(afterImport.indexMb)} in segments`,
  );
  return { idleCpuMs, followingCpuMs, searches, searchesDuringImport, imported, afterImport };
}

/** With the options of the image. */
function startReplica(): ChildProcess {
  return fork(new URL('./index-memory/replica.js', import.meta.url), {
    execArgv: ['--single-threaded-gc'],
    env: { ...process.env, MALLOC_MMAP_THRESHOLD_: '131072' },
  });
}

async function start(replica: ChildProcess, task: ReplicaTask): Promise<Started> {
  const { seconds } = await ask<{ seconds: number }>(replica, task);
  const peakMb = peakOf(replica);
  await wait(settleMs);
  return { seconds, peakMb, steadyMb: memoryOf(pidOf(replica)).nowMb };
}

async function cpuPerSecond(replica: ChildProcess, during: () => Promise<unknown>): Promise<number> {
  const before = cpuMs(pidOf(replica));
  const startedAt = performance.now();
  await during();
  return ((cpuMs(pidOf(replica)) - before) * 1_000) / (performance.now() - startedAt);
}

async function changeEverySecond(url: string): Promise<void> {
  const until = performance.now() + measureMs;
  while (performance.now() < until) {
    await withClient(url, (client) =>
      client.query(`
        WITH state AS (UPDATE catalog_state SET revision = revision + 1 RETURNING revision)
        UPDATE creators SET total_reach = total_reach, revision = state.revision
        FROM state WHERE slug = (SELECT slug FROM imported TABLESAMPLE SYSTEM (0.01) LIMIT 1)`),
    );
    await wait(1_000);
  }
}

async function drawQueries(url: string) {
  const dataSource = await new DataSource(catalogMigrationOptions(url)).initialize();
  const shapes = drawShapes(await drawSamples(dataSource, seed), seed);
  await dataSource.destroy();
  return shapes.flatMap((shape) => shape.queries);
}

async function searchWhile(
  replica: ChildProcess,
  queries: Awaited<ReturnType<typeof drawQueries>>,
  during: () => Promise<unknown>,
): Promise<Searched> {
  await ask(replica, { kind: 'search', queries } satisfies ReplicaTask);
  await during();
  return ask(replica, { kind: 'stop searching' } satisfies ReplicaTask);
}

/** The first of the imported creators, all of them changed; by another `difference`, changed again. */
function* changed(count: number, difference: number): Generator<CreatorRecord> {
  for (const record of generateCreators({ count, seed })) {
    const platforms = record.platforms.map((account) => ({
      ...account,
      followers: account.followers + difference,
    }));
    yield { ...record, platforms };
  }
}

async function untilFollowed(replica: ChildProcess, url: string): Promise<void> {
  const revision = await withClient(url, async (client) => {
    const { rows } = await client.query<{ revision: string }>('SELECT revision FROM catalog_state');
    return Number(rows[0]?.revision);
  });
  while ((await ask<Figures>(replica, figuresTask)).revision < revision) {
    await wait(100);
  }
}

function pidOf(replica: ChildProcess): number {
  if (replica.pid === undefined) throw new Error('the replica did not start');
  return replica.pid;
}

function peakOf(replica: ChildProcess): number {
  return memoryOf(pidOf(replica)).highestMb;
}

/** The highest resident memory counts anew from here (Linux). */
function forgetPeak(replica: ChildProcess): void {
  writeFileSync(`/proc/${pidOf(replica)}/clear_refs`, '5');
}

function sizeOf(directory: string): number {
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / 1e6;
}

function print(what: string, ...figures: readonly string[]): void {
  process.stdout.write(`  ${what.padEnd(26)}${figures.join('; ')}\n`);
}

const secondsOf = (value: number): string => `${value.toFixed(1)} s`;
const mbOf = (value: number): string => `${Math.round(value)} MB`;
const searchedAs = ({ p50Ms, p99Ms }: Searched): string =>
  `p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
const startedAs = ({ seconds, peakMb, steadyMb }: Started): string =>
  `${secondsOf(seconds)}, memory at most ${mbOf(peakMb)}, then ${mbOf(steadyMb)}`;

await main();
