import { pathToFileURL } from 'node:url';
import { build } from '../../tools/bootstrap/build.mjs';
import { fail } from '../../tools/bootstrap/run.mjs';

/**
 * jest calls this once before the suites of a project: services run as they are built, and what the project needs besides is
 * in the file of its name.
 *
 * @param {unknown} _run
 * @param {{ displayName: { name: string }, rootDir: string }} project
 */
export default async function setUp(_run, { displayName, rootDir }) {
  const { code, output } = await build({ check: false });
  if (code !== 0) fail(output);
  const { href } = pathToFileURL(`${rootDir}/dist/test/setup/${displayName.name}.js`);
  const { default: start } = await import(href);
  Reflect.set(globalThis, 'stopTestServers', await start());
}
