import { performance } from 'node:perf_hooks';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';
import { run, seconds } from './run.mjs';

/** Every program of this repository and the directory of its sources. All of them contain what they use of `libs`. */
const projects = {
  gateway: 'apps/gateway',
  catalog: 'apps/catalog',
  billing: 'apps/billing',
  tools: 'tools',
  bench: 'bench',
};
const shared = ['libs', 'nest-cli.json', 'tsconfig.json', 'package-lock.json'];
/** Benchmarks run the ledger and the search engines themselves. */
const alsoUsed = {
  bench: ['apps/billing', 'apps/catalog', 'tools/cli', 'tools/generator'],
  tools: ['apps/billing/src/config', 'apps/catalog/src/config', 'apps/gateway/src/config'],
};
const atOnce = 2;

/**
 * Builds the projects whose sources have changed since they were last built, two at a time. Throws with the compiler's
 * messages when one fails.
 */
export async function buildProjects({ names = Object.keys(projects), force = false } = {}) {
  const waiting = names
    .filter((name) => sourceFiles(projects[name]).some((file) => file.endsWith('.ts')))
    .map((name) => ({ name, fingerprint: fingerprintOf(name) }))
    .filter(({ name, fingerprint }) => force || readStamp(name) !== fingerprint);
  const failures = [];
  const work = async () => {
    for (let project = waiting.shift(); project; project = waiting.shift()) {
      const failure = await build(project);
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (failures.length > 0) throw new Error(failures.join('\n'));
}

async function build({ name, fingerprint }) {
  const startedAt = performance.now();
  rmSync(stampFile(name), { force: true });
  const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { code, output } = await run(process.execPath, [nest, 'build', name], { quiet: true });
  if (code !== 0) return `${output.trimEnd()}\n${name} could not be built.`;
  mkdirSync(dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), fingerprint);
  process.stdout.write(`  ${name} built  ${seconds(startedAt)}\n`);
  return null;
}

function stampFile(name) {
  return join(root, 'dist/.built', name);
}

function readStamp(name) {
  return existsSync(stampFile(name)) ? readFileSync(stampFile(name), 'utf8') : '';
}

function fingerprintOf(name) {
  const hash = createHash('sha256').update(process.versions.node);
  for (const file of [projects[name], ...(alsoUsed[name] ?? []), ...shared].flatMap(sourceFiles)) {
    hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** What a build depends on, below `path`: sources and settings, no tests. */
function sourceFiles(path) {
  if (!existsSync(join(root, path))) return [];
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true })
    .filter((file) => /\.(ts|json)$/.test(file) && !/(spec|\.fixture)\.ts$/.test(file))
    .sort()
    .map((file) => join(path, file));
}
