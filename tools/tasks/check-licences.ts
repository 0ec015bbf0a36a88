import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap/paths.mjs';

/** Licences allowed for deployed packages. */
const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'CC0-1.0',
]);

/** `MIT OR Apache-2.0` needs one of the two on the list, `MIT AND ISC` both. */
function isAllowed(licence: string): boolean {
  const text = licence.replace(/[()]/g, '');
  if (text.includes(' OR ')) return text.split(' OR ').some(isAllowed);
  return text.split(' AND ').every((name) => allowed.has(name.trim()));
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { dev?: boolean; optional?: boolean }>;
};
const deployed = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
const problems = deployed.flatMap(([path, { optional }]) => {
  const file = join(root, path, 'package.json');
  if (!existsSync(file)) return optional ? [] : [`${path}: is not installed`];
  const { license } = JSON.parse(readFileSync(file, 'utf8')) as { license?: unknown };
  return typeof license === 'string' && isAllowed(license) ? [] : [`${path}: ${JSON.stringify(license)}`];
});
if (problems.length > 0) {
  process.stderr.write(`Packages with a licence that is not on the list:\n  ${problems.join('\n  ')}\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${deployed.length} deployed packages, all with a licence on the list\n`);
}
