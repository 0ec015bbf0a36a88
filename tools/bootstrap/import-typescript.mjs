import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { root } from './paths.mjs';

/**
 * Imports a module of this repository as its source stands, without a build: Node.js 20 can't read TypeScript by itself.
 * Needs the dependencies.
 *
 * @param {string} file a path from the root
 */
export function importTypeScript(file) {
  return tsImport(join(root, file), { parentURL: import.meta.url, tsconfig: join(root, 'tsconfig.json') });
}
