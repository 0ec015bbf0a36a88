import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordBuildInfo } from '../version/build-info.mjs';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { fail, progress, run, seconds } from './run.mjs';

/** File whose time is that of the last build. */
const builtFile = join(root, 'dist/.tsbuildinfo');
const sources = [
  'apps',
  'libs',
  'tools',
  'docs',
  'bench',
  'test',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

/**
 * The command line of the compiler for a project.
 *
 * @param {string} project
 * @returns {[command: string, ...parameters: string[]]}
 */
export function compilerCommand(project) {
  return [process.execPath, join(root, 'node_modules/typescript-native/bin/tsc'), '--project', project];
}

/**
 * Compiles everything into dist/ that has changed since the last time, and renders the documentation. Resolves to what the compiler says. `check: false`
 * takes a third of the time and leaves types to `npm run build` and the tests; then nothing is done when dist/ is up to date.
 */
export async function build({ check = true } = {}) {
  const [startedAt, beganAt] = [performance.now(), new Date()];
  if (!check && isUpToDate()) {
    recordBuildInfo(root);
    return { code: 0, output: '' };
  }
  const result = await compile('tsconfig.build.json', ...(check ? [] : ['--noCheck']));
  if (result.code !== 0) return result;
  const pages = await run(process.execPath, [join(root, 'dist/tools/docs/site/main.js')], { quiet: true });
  if (pages.code !== 0) return pages;
  // The compiler leaves it when what has changed makes no difference.
  utimesSync(builtFile, beganAt, beganAt);
  recordBuildInfo(root);
  progress(`  built  ${seconds(startedAt)}`);
  return result;
}

/** Compiles the client's package for `import` and for `require` into libs/client/dist/. */
export async function buildClient() {
  for (const [name, type] of Object.entries({ esm: 'module', cjs: 'commonjs' })) {
    const result = await compile(`libs/client/tsconfig.${name}.json`);
    if (result.code !== 0) fail(result.output);
    const output = join(root, 'libs/client/dist', name);
    mkdirSync(output, { recursive: true });
    writeFileSync(join(output, 'package.json'), `${JSON.stringify({ type })}\n`);
  }
}

/**
 * Installs, builds without checking types, then imports a compiled program of `tools`. Works on a fresh clone; ends the
 * process on failure.
 *
 * @param {string} program a path from `tools`, without its ending
 */
export async function runBuilt(program) {
  await prepare();
  const { code, output } = await build({ check: false });
  if (code !== 0) fail(`${output}\nThe sources do not compile.`);
  await import(pathToFileURL(join(root, 'dist/tools', `${program}.js`)).href);
}

/** Whether no source is newer than dist/; a directory is newer once a file of it has been added, renamed or removed. */
function isUpToDate() {
  if (!existsSync(builtFile)) return false;
  const builtAt = statSync(builtFile).mtimeMs;
  return sources.every((source) => !isNewer(join(root, source), builtAt));
}

/**
 * @param {string} path
 * @param {number} timeMs
 * @returns {boolean}
 */
function isNewer(path, timeMs) {
  const stats = statSync(path);
  if (stats.mtimeMs > timeMs) return true;
  if (!stats.isDirectory()) return false;
  return readdirSync(path)
    .filter((name) => name !== 'node_modules' && name !== 'dist')
    .some((name) => isNewer(join(path, name), timeMs));
}

/** @param {readonly string[]} options */
function compile(/** @type {string} */ project, ...options) {
  const [command, ...parameters] = compilerCommand(project);
  return run(command, [...parameters, ...options], { quiet: true });
}
