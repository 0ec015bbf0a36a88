import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { type SearchRequest } from '@app/contracts';
import { type Stack, startStack } from '@app/testing';
import { DataSource } from 'typeorm';
import { catalogIndexOptions } from '../apps/catalog/src/database/data-source.js';
import { AdminClient } from '../tools/cli/admin-client.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { percentile } from './search/measure.js';
import { drawShapes } from './search/queries.js';
import { Consumers } from './stack/consumers.js';
import { importCreators, linesOf, upload } from './stack/import-creators.js';
import { cpuSeconds, memoryOf } from './stack/processes.js';

/**
 * Searches through the whole stack, from HTTP to the ledger and back, with one of each service on this machine, the
 * clients included: percentiles and calls a second, CPU time of each part, memory of the catalog, and searches while
 * creators are being imported.
 */
const { values: given } = parseArgs({
  options: {
    creators: { type: 'string', default: '1000000' },
    'import-creators': { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
});
const creators = Number(given.creators);
const importedMeanwhile = Number(given['import-creators']);
const measureMs = Number(given.seconds) * 1_000;
const searchesMax = 90_000;
const freshnessTrials = 20;

interface LoadResult {
  readonly name: string;
  readonly clients: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU milliseconds of each part for one call. */
  readonly cpuMsPerCall: Readonly<Record<string, number>>;
}

async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    const importAt = performance.now();
    await importCreators(admin, creators, 1);
    print(`${creators} creators imported through the gateway: ${rate(creators, importAt)} a second`);
    await wait(10_000);
    const queries = await drawQueries(stack);
    const consumers = await Consumers.create(admin, stack.publicUrl, searchesMax);
    const results: LoadResult[] = [];
    for (const clients of [1, 16, 64]) {
      await load(stack, consumers, queries, 'warm-up', clients, () => Promise.resolve(wait(1_000)));
      results.push(await load(stack, consumers, queries, 'searches', clients, () => wait(measureMs)));
    }
    const memory = memoryOf(stack.pids.catalog[0] ?? 0);
    print(`catalog: ${memory.nowMb} MB of memory, ${memory.highestMb} MB at its highest`);
    // Made before, so that the searching clients of this process don't wait for it.
    const changed = [...linesOf(generateCreators({ count: importedMeanwhile, seed: 2 }))];
    results.push(
      await load(
        stack,
        consumers,
        queries,
        `searches while ${importedMeanwhile} are imported`,
        2,
        async () => {
          const startedAt = performance.now();
          await upload(admin, changed);
          print(`  imported ${rate(importedMeanwhile, startedAt)} a second meanwhile`);
        },
      ),
    );
    const fresh = await measureFreshness(admin, consumers, stack);
    print(
      `an import is seen by searches after ${fresh.p50Ms.toFixed(0)} ms (median), ${fresh.worstMs.toFixed(0)} ms (worst)`,
    );
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ creators, results, memory, fresh }, null, 2)}\n`);
    }
    consumers.close();
  } finally {
    await stack.stop();
  }
}

/** As many clients as given search, each one call at a time, until `during` resolves. */
async function load(
  stack: Stack,
  consumers: Consumers,
  queries: readonly SearchRequest[],
  name: string,
  clients: number,
  during: () => Promise<unknown>,
): Promise<LoadResult> {
  const times: number[] = [];
  let isOver = false;
  const client = async (number: number): Promise<void> => {
    for (let call = number * 7; !isOver; call++) {
      times.push(await consumers.search(queries[call % queries.length] ?? { limit: 50 }));
      // Leaves room for the import, and keys for the whole of it.
      if (name.includes('imported')) await wait(20);
    }
  };
  const before = cpuSeconds(stack);
  const startedAt = performance.now();
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  await Promise.race([during(), running]);
  isOver = true;
  await running;
  const seconds = (performance.now() - startedAt) / 1_000;
  const after = cpuSeconds(stack);
  const cpu = Object.keys(after).map((part) => {
    const used = (after[part] ?? 0) - (before[part] ?? 0);
    return [part, Math.round((used * 1_000_000) / times.length) / 1_000] as const;
  });
  const result = {
    name,
    clients,
    perSecond: Math.round(times.length / seconds),
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    cpuMsPerCall: Object.fromEntries(cpu),
  };
  if (name !== 'warm-up') {
    print(
      `${name}, ${clients} clients: p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms, ${result.perSecond} calls/s; ` +
        `CPU ms per call: ${cpu.map(([part, ms]) => `${part} ${ms}`).join(', ')}`,
    );
  }
  return result;
}

async function drawQueries(stack: Stack): Promise<SearchRequest[]> {
  const dataSource = await new DataSource(catalogIndexOptions(stack.databaseUrls.catalog)).initialize();
  const shapes = await drawShapes(dataSource, 1);
  await dataSource.destroy();
  return shapes.flatMap(({ queries }) => queries);
}

/** From the import's answer to the first search that finds the creator. */
async function measureFreshness(admin: AdminClient, consumers: Consumers, stack: Stack) {
  const times: number[] = [];
  for (let trial = 0; trial < freshnessTrials; trial++) {
    const name = `Freshness${trial.toString().padStart(3, '0')}`;
    const record = {
      slug: name.toLowerCase(),
      name,
      country: 'Nowhere',
      languages: [],
      categories: [],
      platforms: [],
    };
    await upload(admin, linesOf([record]));
    const startedAt = performance.now();
    const url = `${stack.publicUrl}/api/public/v1/search?q=${name}`;
    while ((await consumers.total(url)) === 0) await wait(5);
    times.push(performance.now() - startedAt);
  }
  return { p50Ms: percentile(times, 0.5), worstMs: Math.max(...times) };
}

function rate(count: number, startedAt: number): number {
  return Math.round((count * 1_000) / (performance.now() - startedAt));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
