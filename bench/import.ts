import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { type CreatorRecord } from '#contracts';
import { startPostgres } from '#dev';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { ndjson } from '../tools/generator/ndjson.js';
import { createCatalog, openImports } from './harness/catalog-database.js';
import { readOptions } from './harness/read-options.js';
import { cpuMs } from './harness/usage.js';

/**
 * Creators a second through one catalog, and CPU time for each: into an empty one, when all of them change, and when none does; as
 * one import or as many.
 */
const given = readOptions('import', {
  creators: { type: 'string', default: '100000' },
  engine: { type: 'string', default: 'bitmap' },
  imports: { type: 'string', default: '1' },
  json: { type: 'string' },
});
const count = Number(given.creators);

const cases: readonly (readonly [string, (record: CreatorRecord) => CreatorRecord])[] = [
  ['empty catalog', (record) => record],
  ['all changed', changed],
  ['none changed', changed],
];

function changed(record: CreatorRecord): CreatorRecord {
  const platforms = record.platforms.map((account) => ({ ...account, followers: account.followers + 1 }));
  return { ...record, name: `${record.name} II`, platforms };
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  try {
    const imports = await openImports(await createCatalog(postgres, 0, given.engine === 'sql'));
    const rows = [];
    for (const [name, change] of cases) {
      const chunks = [...ndjson(Array.from(generateCreators({ count, seed: 1 }), change))];
      const [before, postgresBefore] = [process.cpuUsage(), cpuMs(postgres.pid)];
      const startedAt = performance.now();
      const perImport = Math.ceil(chunks.length / Number(given.imports));
      for (let first = 0; first < chunks.length; first += perImport) {
        await imports.importAll(chunks.slice(first, first + perImport));
      }
      const seconds = (performance.now() - startedAt) / 1_000;
      const { user, system } = process.cpuUsage(before);
      rows.push({
        name,
        'creators/s': Math.round(count / seconds),
        'catalog CPU µs': Math.round((user + system) / count),
        'PostgreSQL CPU µs': Math.round(((cpuMs(postgres.pid) - postgresBefore) * 1_000) / count),
      });
    }
    console.table(rows);
    await imports.close();
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await postgres.stop();
  }
}

await main();
