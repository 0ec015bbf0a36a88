import { mkdirSync, writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { recordBuildInfo } from '../version/build-info.mjs';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { fail, progress, run, seconds } from './run.mjs';

const compiler = join(root, 'node_modules/typescript-native/bin/tsc');

/** Compiles everything into dist/ that has changed since the last time. Resolves to what the compiler says. */
export async function build() {
  const startedAt = performance.now();
  const result = await compile('tsconfig.build.json');
  if (result.code !== 0) return result;
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
 * Installs, builds, then imports a compiled program of `tools`. Works on a fresh clone; ends the process on failure.
 *
 * @param {string} program a path from `tools`, without its ending
 */
export async function runBuilt(program) {
  await prepare();
  const { code, output } = await build();
  if (code !== 0) fail(`${output}\nThe sources do not compile.`);
  await import(pathToFileURL(join(root, 'dist/tools', `${program}.js`)).href);
}

/** @param {string} project */
function compile(project) {
  return run(process.execPath, [compiler, '--project', project], { quiet: true });
}
