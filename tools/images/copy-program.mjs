// node tools/images/copy-program.mjs <program> <destination>
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

/**
 * What each image starts, threads among it, and the files that it reads while it runs.
 *
 * @type {Record<string, { entries: readonly string[], files: readonly string[] }>}
 */
const programs = {
  gateway: {
    entries: ['apps/gateway/src/main.js'],
    files: ['docs/openapi.json', 'dist/apps/gateway/docs'],
  },
  website: { entries: ['apps/website/src/main.js'], files: ['apps/website/browser'] },
  catalog: {
    entries: ['main', 'migrate', 'search-index/segment-worker', 'import/import-worker'].map(
      (name) => `apps/catalog/src/${name}.js`,
    ),
    files: [],
  },
  billing: {
    entries: ['main', 'migrate', 'archive'].map((name) => `apps/billing/src/${name}.js`),
    files: [],
  },
  cli: { entries: ['tools/cli/installed.js'], files: ['tools/cli/wikidata/tables', 'LICENSE'] },
};

/** Copies a built program with the packages and libraries that it loads, and nothing else. */
async function copyProgram(name = '', destination = '') {
  const program = programs[name];
  if (!program) throw new Error(`There is no program ${name}: ${Object.keys(programs).join(', ')}.`);
  const entries = program.entries.map((file) => `dist/${file}`);
  const { fileList } = await nodeFileTrace(entries, { base: process.cwd() });
  for (const file of [...fileList, ...program.files, 'package.json']) {
    cpSync(file, join(destination, file), { recursive: true });
  }
}

await copyProgram(...process.argv.slice(2));
