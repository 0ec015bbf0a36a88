import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { fail } from './run.mjs';

/**
 * Runs a compiled program of `tools`, after rebuilding it and these projects where they have changed. Works on a fresh
 * clone.
 *
 * @param {string} program a path from `tools`, without its ending
 * @param {readonly string[]} services
 * @param {string} [checks] a module whose `check` throws what makes the program fail, so that it need not be built for that
 */
export async function runBuilt(program, services = [], checks) {
  await prepare();
  // Only after the dependencies are installed.
  const { importTypeScript } = await import('./import-typescript.mjs');
  const { buildProjects } = await importTypeScript('tools/building/build-projects.ts');
  try {
    if (checks) await (await importTypeScript(checks)).check(process.argv.slice(2), process.env);
    await buildProjects({ names: [...services, 'tools'] });
  } catch (error) {
    fail(String(error instanceof Error ? error.message : error));
  }
  await import(pathToFileURL(join(root, 'dist/tools/tools', `${program}.js`)).href);
}
