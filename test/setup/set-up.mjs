import { importTypeScript } from '../../tools/bootstrap/import-typescript.mjs';

/**
 * jest calls this once before the suites of a project: what the project needs is in the TypeScript file of its name.
 *
 * @param {unknown} _run
 * @param {{ displayName: { name: string } }} project
 */
export default async function setUp(_run, { displayName }) {
  const { default: start } = await importTypeScript(`test/setup/${displayName.name}.ts`);
  Reflect.set(globalThis, 'stopTestServers', await start());
}
