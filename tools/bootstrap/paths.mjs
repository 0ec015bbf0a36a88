import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The directory of this checkout, for sources and for what is compiled from them. */
export const root = directoryWithPackage(dirname(fileURLToPath(import.meta.url)));

/**
 * @param {string} directory
 * @returns {string}
 */
function directoryWithPackage(directory) {
  return existsSync(join(directory, 'package.json')) ? directory : directoryWithPackage(dirname(directory));
}
