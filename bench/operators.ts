import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { type Stack, startStack, withClient } from '@app/local-stack';
import { AdminClient } from '../tools/cli/admin-client.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { percentile } from './percentile.js';
import { readOptions } from './read-options.js';
import { Consumers } from './stack/consumers.js';
import { importCreators, linesOf, upload } from './stack/import-creators.js';
import { measureLoad } from './stack/measure-load.js';
import { memoryOf, resetHighestMemory } from './stack/processes.js';
import { type CliRun, runCli } from './stack/run-cli.js';
import { sampleQueries } from './stack/sample-queries.js';

/**
 * What operators do on a large catalog: how long each command takes, with how much memory, and the searches of consumers just
 * before it and meanwhile.
 */
const given = readOptions('operators', {
  creators: { type: 'string', default: '1000000' },
  /** Of each command, repeated, and of the searches before it. */
  seconds: { type: 'string', default: '10' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const measureMs = Number(given.seconds) * 1_000;
const removable = 500;
const searchesMax = 60_000;
const calm = { clients: 2, pauseMs: 20 };
const address = 'benchmark@customer.example';
const settleMs = 15_000;

/** One creator of ten was read, as often as any other. */
const readsSql = `
  INSERT INTO creator_reads (slug, heat, read_at)
  SELECT slug, extract(epoch FROM now()) / 86400 / 30 + random() * 10, now() FROM creators TABLESAMPLE BERNOULLI (10)`;

interface Operation {
  readonly name: string;
  readonly run: (number: number) => Promise<Partial<CliRun>>;
}

async function main(): Promise<void> {
  const stack = await startStack();
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    await importCreators(admin, creators, 1);
    await upload(admin, linesOf(Array.from({ length: removable }, (_, number) => toBeRemoved(number))));
    await withClient(stack.databaseUrls.catalog, (client) => client.query(readsSql));
    const consumers = await Consumers.create(admin, stack.publicUrl, searchesMax);
    await wait(settleMs);
    const rows = [];
    for (const operation of operationsOn(stack, consumers)) {
      rows.push(await measure(stack, consumers, operation));
    }
    console.table(rows);
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
    consumers.close();
  } finally {
    await stack.stop();
  }
}

function operationsOn(stack: Stack, consumers: Consumers): Operation[] {
  const cli = (...parameters: string[]): Operation => ({
    name: parameters.join(' '),
    run: () => runCli(stack, parameters),
  });
  let removed = 0;
  const remove = () => ['creators', 'remove', slugOf(removed++), '--reference', 'benchmark'];
  return [
    { name: 'nothing', run: () => wait(measureMs, {}) },
    cli('creators', 'freshness'),
    cli('creators', 'refresh-list'),
    cli('creators', 'refresh-list', '--platform', 'youtube', '--min-age-days', '30'),
    cli('creators', 'refresh-list', '--limit', String(creators)),
    { name: 'creators remove SLUG', run: () => runCli(stack, remove()) },
    {
      name: 'creators remove SLUG, until no search finds them',
      run: async () => {
        const country = countryOf(removed);
        const url = `${stack.publicUrl}/api/public/v1/search?${new URLSearchParams({ country }).toString()}`;
        const run = await runCli(stack, remove());
        const answeredAt = performance.now();
        while ((await consumers.total(url)) > 0) await wait(1);
        return { ...run, seconds: (performance.now() - answeredAt) / 1_000 };
      },
    },
    cli('creators', 'report', slugOf(removable - 1)),
    cli('creators', 'report', '--handle', `youtube:@${slugOf(removable - 1)}`),
    cli('people', 'report', address),
  ];
}

async function measure(stack: Stack, consumers: Consumers, { name, run }: Operation) {
  const queries = sampleQueries(generateCreators({ count: creators, seed: 1 }));
  const before = await measureLoad(stack, consumers, queries, {
    name,
    ...calm,
    during: () => wait(measureMs),
  });
  const services = [stack.pids.gateway, stack.pids.catalog, stack.pids.billing].map(([pid = 0]) => pid);
  const memoryBefore = services.map((pid) => memoryOf(pid).nowMb);
  for (const pid of services) resetHighestMemory(pid);
  const runs: Partial<CliRun>[] = [];
  const repeat = async (): Promise<void> => {
    const until = performance.now() + measureMs;
    do {
      const startedAt = performance.now();
      const result = await run(runs.length);
      runs.push({ seconds: (performance.now() - startedAt) / 1_000, ...result });
    } while (performance.now() < until);
  };
  const meanwhile = await measureLoad(stack, consumers, queries, { name, ...calm, during: repeat });
  const seconds = runs.map((each) => each.seconds ?? 0);
  const grown = services.map((pid, at) => memoryOf(pid).highestMb - (memoryBefore[at] ?? 0));
  const row = {
    name,
    runs: runs.length,
    seconds: rounded(percentile(seconds, 0.5)),
    worst: rounded(Math.max(...seconds)),
    'CLI MB': Math.max(...runs.map(({ megabytes = 0 }) => megabytes)),
    'gateway, catalog, billing +MB': grown.join(', '),
    'searches p50 ms': `${rounded(before.p50Ms)}, ${rounded(meanwhile.p50Ms)}`,
    'p99 ms': `${rounded(before.p99Ms)}, ${rounded(meanwhile.p99Ms)}`,
    'worst ms': `${rounded(before.worstMs)}, ${rounded(meanwhile.worstMs)}`,
  };
  process.stdout.write(`${JSON.stringify(row)}\n`);
  return row;
}

function toBeRemoved(number: number) {
  const slug = slugOf(number);
  const account = {
    platform: 'youtube',
    handle: `@${slug}`,
    followers: 1,
    updated_at: '2026-01-01T00:00:00Z',
  } as const;
  return {
    slug,
    name: 'Someone',
    country: countryOf(number),
    languages: [],
    categories: [],
    platforms: [{ ...account, url: `https://www.youtube.com/@${slug}` }],
  };
}

function slugOf(number: number): string {
  return `to-be-removed-${number}`;
}

function countryOf(number: number): string {
  return `Removeland ${number}`;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

await main();
