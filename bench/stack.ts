import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type Stack, startStack } from '@app/local-stack';
import { AdminClient } from '../tools/cli/admin-client.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { percentile } from './percentile.js';
import { CatalogCaller } from './stack/catalog-caller.js';
import { Consumers } from './stack/consumers.js';
import { CliImport } from './stack/cli-import.js';
import { importCreators, linesOf, upload } from './stack/import-creators.js';
import { type Load, type LoadResult, measureLoad, type Searcher } from './stack/measure-load.js';
import { memoryOf } from './stack/processes.js';
import { sampleQueries } from './stack/sample-queries.js';
import { readOptions } from './read-options.js';

/**
 * Searches through the whole stack, from HTTP to the ledger and back, with one of each service on this machine, the
 * clients included: percentiles and calls a second, CPU time of each part, memory of the catalog, and searches while
 * creators are being imported: as consumers see them, and as the gateway sees the catalog.
 */
const given = readOptions('stack', {
  creators: { type: 'string', default: '1000000' },
  'import-creators': { type: 'string', default: '100000' },
  seconds: { type: 'string', default: '10' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const importedMeanwhile = Number(given['import-creators']);
const measureMs = Number(given.seconds) * 1_000;
const searchesMax = 90_000;
/** Code that runs for the first time runs several times slower. */
const warmUpMs = 5_000;
const freshnessTrials = 20;
/** So long that threads without work have ended. */
const freshnessPauseMs = 6_000;
/** Of a client that searches now and then: room for an import, and keys for the whole of it. */
const pauseMs = 20;

async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    const importAt = performance.now();
    await importCreators(admin, creators, 1);
    print(`${creators} creators imported through the gateway: ${rate(creators, importAt)} a second`);
    await wait(10_000);
    const queries = sampleQueries(generateCreators({ count: creators, seed: 1 }));
    const consumers = await Consumers.create(admin, stack.publicUrl, searchesMax);
    const catalog = new CatalogCaller(stack.redisUrl);
    await catalog.connect();
    const run = (load: Load, searcher: Searcher = consumers): Promise<LoadResult> =>
      measureLoad(stack, searcher, queries, load);
    await run({ name: 'warm-up', clients: 16, during: () => wait(warmUpMs) });
    const results: LoadResult[] = [];
    for (const clients of [1, 16, 64]) {
      results.push(shown(await run({ name: 'searches', clients, during: () => wait(measureMs) })));
    }
    const memory = memoryOf(stack.pids.catalog[0] ?? 0);
    print(`catalog: ${memory.nowMb} MB of memory, ${memory.highestMb} MB at its highest`);
    const calm = { clients: 2, pauseMs };
    results.push(
      shown(await run({ name: 'searches, now and then', ...calm, during: () => wait(measureMs) })),
    );
    const callers = [
      { searcher: consumers, name: 'the same' },
      { searcher: catalog, name: 'the same, asked of the catalog as the gateway asks it,' },
    ];
    for (const [number, { searcher, name }] of callers.entries()) {
      const upload = new CliImport(stack, generateCreators({ count: importedMeanwhile, seed: 2 + number }));
      const during = () => upload.run();
      const title = `${name} while ${importedMeanwhile} are imported`;
      results.push(shown(await run({ name: title, ...calm, during }, searcher)));
      print(`  imported ${Math.round(importedMeanwhile / upload.seconds)} a second meanwhile`);
    }
    const fresh = [];
    for (const size of [1, 500]) fresh.push(await measureFreshness(admin, consumers, stack, size));
    if (given.json) {
      writeFileSync(given.json, `${JSON.stringify({ creators, results, memory, fresh }, null, 2)}\n`);
    }
    consumers.close();
    await catalog.close();
  } finally {
    await stack.stop();
  }
}

/** From the import's answer to the first search that finds all of it; the first import after a pause. */
async function measureFreshness(admin: AdminClient, consumers: Consumers, stack: Stack, size: number) {
  const times: number[] = [];
  await wait(freshnessPauseMs);
  for (let trial = 0; trial < freshnessTrials; trial++) {
    const country = `Freshland ${size} ${trial}`;
    const records = Array.from({ length: size }, (_, number) => ({
      slug: `fresh-${size}-${trial}-${number}`,
      name: 'Someone',
      country,
      languages: [],
      categories: [],
      platforms: [],
    }));
    await upload(admin, linesOf(records));
    const startedAt = performance.now();
    const url = `${stack.publicUrl}/api/public/v1/search?${new URLSearchParams({ country }).toString()}`;
    while ((await consumers.total(url)) < size) await wait(5);
    times.push(performance.now() - startedAt);
  }
  const fresh = { size, p50Ms: percentile(times, 0.5), worstMs: Math.max(...times) };
  print(
    `an import of ${size} is seen by searches after ${fresh.p50Ms.toFixed(0)} ms (median), ${fresh.worstMs.toFixed(0)} ms (worst)`,
  );
  return fresh;
}

function shown(result: LoadResult): LoadResult {
  const { name, clients, p50Ms, p99Ms, perSecond, catalogWithin10Ms, cpuMsPerCall } = result;
  const cpu = Object.entries(cpuMsPerCall).map(([part, ms]) => `${part} ${ms}`);
  print(
    `${name}, ${clients} clients: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${perSecond} calls/s, ` +
      `${(catalogWithin10Ms * 100).toFixed(1)} % within 10 ms in the catalog; ` +
      `CPU ms per call: ${cpu.join(', ')}`,
  );
  return result;
}

function rate(count: number, startedAt: number): number {
  return Math.round((count * 1_000) / (performance.now() - startedAt));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
