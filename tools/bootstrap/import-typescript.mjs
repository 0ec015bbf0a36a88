import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { root } from './paths.mjs';

/**
 * Imports a module of this repository from source, without a build: Node.js 20 can't run TypeScript itself. Needs the
 * dependencies.
 *
 * @param {string} file a path from the root
 */
export function importTypeScript(file) {
  return tsImport(join(root, file), { parentURL: import.meta.url, tsconfig: join(root, 'tsconfig.json') });
}
