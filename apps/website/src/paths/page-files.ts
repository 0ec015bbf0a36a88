import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '#platform';
import { pagePaths } from './page-paths.js';

/** Folder of the styles, scripts and icons. */
export const filesDirectory = fileURLToPath(new URL('apps/website/browser/', projectRoot));

/** In the order in which they apply. */
const styleNames = [
  'tokens.css',
  'base.css',
  'layout.css',
  'components.css',
  'forms.css',
  'tables.css',
  'charts.css',
  'site.css',
];
const scriptNames = ['times.js', 'forms.js', 'secrets.js'];

/** Names the content of all files, for addresses that caches may keep forever. */
export const filesVersion = readdirSync(filesDirectory)
  .sort()
  .reduce((hash, name) => hash.update(readFileSync(join(filesDirectory, name))), createHash('sha256'))
  .digest('hex')
  .slice(0, 16);

const addressOf = (name: string): string => `${pagePaths.files}/${filesVersion}/${name}`;

/** The addresses of what every page loads. */
export const pageFiles = {
  styles: styleNames.map(addressOf),
  scripts: scriptNames.map(addressOf),
  icon: addressOf('icon.svg'),
};
