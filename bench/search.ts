import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type SearchRequest } from '#contracts';
import { BitmapIndex, EntryWriter, type SegmentInUse, useSegment } from '#creator-index';
import { startPostgres } from '#dev';
import { postgresOptions, TransactionRunner, unboundedSession } from '#platform/database';
import { DataSource } from 'typeorm';
import { sessionSettings } from '../apps/catalog/src/database/connections.js';
import { CreatorsRepository } from '../apps/catalog/src/creators/creators.repository.js';
import { BitmapSearchEngine } from '../apps/catalog/src/search/bitmap-search-engine.js';
import { WorkerIndexBuilder } from '../apps/catalog/src/search-index/index-builder.js';
import { toCriteria } from '../apps/catalog/src/search/search.controller.js';
import { type SearchEngine } from '../apps/catalog/src/search/search-engine.js';
import { SqlSearchEngine } from '../apps/catalog/src/search/sql-search-engine.js';
import { createCatalog } from './harness/catalog-database.js';
import { type Engine, type EngineResult, measureEngine } from './harness/measure-engine.js';
import { generatedShapes } from './harness/queries.js';
import { readOptions } from './harness/read-options.js';

/**
 * The two search engines on the same generated catalogs and the same mix of queries: percentiles, queries per second,
 * memory, and how each grows. Totals of SQL are counted for each search, as in a first one.
 */
const given = readOptions('search', {
  creators: { type: 'string', default: '10000,100000,1000000' },
  engines: { type: 'string', default: 'bitmap,sql' },
  repetitions: { type: 'string', default: '20' },
  'sql-repetitions': { type: 'string', default: '2' },
  callers: { type: 'string', default: '1' },
  json: { type: 'string' },
});

const siteUrl = 'https://site.example';
const engineNames = given.engines.split(',');

async function main(): Promise<void> {
  const postgres = await startPostgres();
  const results: EngineResult[] = [];
  const figures: object[] = [];
  try {
    for (const creators of given.creators.split(',').map(Number)) {
      const startedAt = performance.now();
      const url = await createCatalog(postgres, creators, engineNames.includes('sql'));
      process.stdout.write(`${creators} creators stored in ${secondsSince(startedAt)} s\n`);
      let index: BitmapIndex | undefined;
      if (engineNames.includes('bitmap')) {
        const opened = await openIndex(url, creators);
        index = opened.index;
        figures.push(opened.ofIndex);
        console.table([opened.ofIndex]);
      }
      results.push(...(await measureAll(url, index, creators)));
    }
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ index: figures, engines: results }, null, 2)}\n`);
    }
  } finally {
    await postgres.stop();
  }
}

async function openIndex(url: string, creators: number) {
  const file = new URL('../apps/catalog/src/search-index/segment-worker.js', import.meta.url);
  const builder = new WorkerIndexBuilder(file, url);
  const segments: SegmentInUse[] = [];
  const buildAt = performance.now();
  await builder.read((segment) => void segments.push(useSegment(segment)));
  const buildSeconds = secondsSince(buildAt);
  await builder.close();
  const index = new BitmapIndex(new EntryWriter(siteUrl), builder, segments);
  const bytes = segments.reduce((sum, { segment }) => sum + segment.buffer.byteLength, 0);
  const texts = segments.reduce((sum, { segment }) => sum + segment.contentBytes, 0);
  return {
    index,
    ofIndex: {
      creators,
      segments: segments.length,
      buildSeconds,
      bytesPerCreator: Math.round(bytes / creators),
      textBytesPerCreator: Math.round(texts / creators),
    },
  };
}

async function measureAll(
  url: string,
  index: BitmapIndex | undefined,
  creators: number,
): Promise<EngineResult[]> {
  const dataSource = await openDataSource(url);
  try {
    const shapes = generatedShapes(creators);
    const engines = [
      ...(index ? [engineOf('bitmap', () => new BitmapSearchEngine(() => index))] : []),
      ...(engineNames.includes('sql') ? [engineOf('sql', () => sqlEngine(dataSource))] : []),
    ];
    await compareTotals(
      engines,
      shapes.flatMap(({ queries }) => queries),
    );
    const searches: EngineResult[] = [];
    for (const callers of given.callers.split(',').map(Number)) {
      for (const engine of engines) {
        const repetitions = Number(engine.name === 'bitmap' ? given.repetitions : given['sql-repetitions']);
        const result = await measureEngine(engine, shapes, { creators, callers, repetitions });
        const { shapes: byShape, ...whole } = result;
        console.table([whole]);
        console.table(byShape);
        searches.push(result);
      }
    }
    return searches;
  } finally {
    await dataSource.destroy();
  }
}

/** Opens the database as a catalog does, but without time limits; a connection for each caller. */
function openDataSource(url: string): Promise<DataSource> {
  const poolSize = Math.max(2, ...given.callers.split(',').map(Number));
  return new DataSource(
    postgresOptions({
      url,
      applicationName: 'benchmark',
      sessionSettings: { ...sessionSettings, ...unboundedSession },
      poolSize,
    }),
  ).initialize();
}

function sqlEngine(dataSource: DataSource): SearchEngine {
  return new SqlSearchEngine(
    new TransactionRunner(dataSource),
    new CreatorsRepository(),
    new EntryWriter(siteUrl),
    false,
  );
}

/** A new engine for each search remembers no totals: as if each were the first since a change of the catalog. */
function engineOf(name: string, make: () => SearchEngine): Engine {
  return { name, search: async (request) => (await make().search(toCriteria(request))).total };
}

/** Engines that count differently do not do the same work. */
async function compareTotals(engines: readonly Engine[], queries: readonly SearchRequest[]): Promise<void> {
  const [reference, ...others] = engines;
  for (const query of reference ? queries : []) {
    const expected = await reference?.search(query);
    for (const engine of others) {
      if ((await engine.search(query)) !== expected) {
        throw new Error(`the engines differ on ${JSON.stringify(query)}`);
      }
    }
  }
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 10) / 100;
}

await main();
