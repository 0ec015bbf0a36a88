import { writeFileSync } from 'node:fs';
import { startStack } from '@app/local-stack';
import { AdminClient } from '../tools/cli/admin-client.js';
import { generateCreators } from '../tools/generator/generate-creators.js';
import { LoadGenerator } from './overload/load-generator.js';
import { heading, lineOf, type Row } from './overload/row.js';
import { type Ground, stages, warmUp } from './overload/stages.js';
import { makeKeysOf } from './stack/consumers.js';
import { importCreators } from './stack/import-creators.js';
import { sampleQueries, searchPath } from './stack/sample-queries.js';
import { readOptions } from './read-options.js';

/**
 * What the stack does with more callers, and with more calls, than it can answer at once. Profiles, which no rate limit
 * bounds, mostly; everything, the process that calls included, shares this machine.
 */
const given = readOptions('overload', {
  stages: { type: 'string', default: Object.keys(stages).join(',') },
  creators: { type: 'string', default: '20000' },
  seconds: { type: 'string', default: '60' },
  json: { type: 'string' },
});
const creators = Number(given.creators);
const profileAccounts = 16;
/** For some 25,000 searches at 60 a minute per key. */
const searchAccounts = 100;

async function main(): Promise<void> {
  const names = given.stages.split(',');
  const unknown = names.filter((name) => !(name in stages));
  if (unknown.length > 0) {
    throw new Error(`no stage ${unknown.join(', ')}: there are ${Object.keys(stages).join(', ')}`);
  }
  const rows: Row[] = [];
  const show = (row: Row): void => {
    rows.push(row);
    print(lineOf(row));
  };
  const stack = await startStack({ environment: { LOG_LEVEL: 'warn' } });
  const generator = new LoadGenerator();
  try {
    const admin = new AdminClient({ url: stack.adminUrl, token: stack.adminToken });
    const [slug] = await importCreators(admin, creators, 1);
    const doesSearch = names.includes('search');
    const ground: Ground = {
      generator,
      origin: stack.publicUrl,
      profilePath: `/api/public/v1/creators/${slug}`,
      searchPaths: doesSearch
        ? sampleQueries(generateCreators({ count: creators, seed: 1 })).map(searchPath)
        : [],
      accounts: await makeKeysOf(admin, profileAccounts),
      searchKeys: doesSearch ? (await makeKeysOf(admin, searchAccounts)).flat() : [],
      greedyKey: (await makeKeysOf(admin, 1))[0]?.[0] ?? '',
      seconds: Number(given.seconds),
      show,
    };
    print(heading);
    await warmUp(ground);
    for (const name of names) await stages[name]?.(ground);
    const audit = await admin.get<{ ok: boolean }>('/ledger/audit');
    print(`audit ${audit.ok ? 'ok' : 'FAILED'}`);
    if (given.json) {
      const { creators, seconds } = given;
      writeFileSync(given.json, `${JSON.stringify({ creators, seconds, rows, audit }, null, 2)}\n`);
    }
  } finally {
    generator.stop();
    await stack.stop();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
