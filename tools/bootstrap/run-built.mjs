import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './paths.mjs';
import { prepare } from './prepare.mjs';
import { fail } from './run.mjs';

/**
 * Runs a program of `tools` as it is built, after building what has changed of it and of these projects. Works on a fresh clone.
 *
 * @param {string} program a path from `tools`, without its ending
 * @param {readonly string[]} services
 */
export async function runBuilt(program, services = []) {
  await prepare();
  // Not before the dependencies are installed.
  const { importTypeScript } = await import('./import-typescript.mjs');
  const { buildProjects } = await importTypeScript('tools/building/build-projects.ts');
  try {
    await buildProjects({ names: [...services, 'tools'] });
  } catch (error) {
    fail(String(error instanceof Error ? error.message : error));
  }
  await import(pathToFileURL(join(root, 'dist/tools/tools', `${program}.js`)).href);
}
