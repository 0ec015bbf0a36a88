import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '#platform';
import { pagePaths } from './page-paths.js';

/** Folder of the styles, scripts and icons. */
export const filesDirectory = fileURLToPath(new URL('apps/website/browser/', projectRoot));

const names = readdirSync(filesDirectory).sort();

/** Names the content of all files, for addresses that caches may keep forever. */
export const filesVersion = names
  .reduce((hash, name) => hash.update(readFileSync(join(filesDirectory, name))), createHash('sha256'))
  .digest('hex')
  .slice(0, 16);

const addressOf = (name: string): string => `${pagePaths.files}/${filesVersion}/${name}`;
const allOf = (kind: string): string[] => names.filter((name) => name.endsWith(kind)).map(addressOf);

/** The addresses of what every page loads. Styles apply in the order of their names. */
export const pageFiles = {
  styles: allOf('.css'),
  scripts: allOf('.js'),
  icon: addressOf('icon.svg'),
};
