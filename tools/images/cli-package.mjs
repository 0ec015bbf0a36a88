import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { importsOf, readPackage } from './service-packages.mjs';

const program = 'tools/cli/installed.js';
const tables = 'tools/cli/wikidata/tables';

/** Of an import or an export of another file of the build, as the compiler writes them. */
const relativeImports = /^(?:import|export)\s(?:[^'";]*\sfrom\s)?['"](\.[^'"]*)|\bimport\('(\.[^']*)'\)/gm;

/**
 * Writes the package of the command line as it is published: its own files of a build of `tools`, and a `package.json`
 * with the packages that they import, in the versions of this project.
 *
 * @param {string} build such as `dist/tools`
 * @param {string} destination
 */
export function stageCli(build, destination) {
  const code = join(destination, 'dist');
  for (const file of filesFrom(join(build, program))) cpSync(file, join(code, relative(build, file)));
  chmodSync(join(code, program), 0o755);
  cpSync(tables, join(code, tables), { recursive: true });
  cpSync('LICENSE', join(destination, 'LICENSE'));
  cpSync('tools/cli/README.md', join(destination, 'README.md'));
  writeFileSync(join(destination, 'package.json'), `${JSON.stringify(descriptionFor(code), null, 2)}\n`);
}

/**
 * A compiled file and those that it imports, directly or not.
 *
 * @param {string} file
 * @param {Set<string>} found
 */
function filesFrom(file, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, once, later = ''] of readFileSync(file, 'utf8').matchAll(relativeImports)) {
    filesFrom(join(dirname(file), once ?? later), found);
  }
  return found;
}

/** @param {string} code */
function descriptionFor(code) {
  const { version, license, engines, dependencies } = readPackage('.');
  const imported = importsOf(code).sort();
  return {
    name: 'creator-search-cli',
    version,
    description: 'Command line for operators of a Creator Search Service, through its admin API.',
    license,
    type: 'module',
    bin: { 'creator-search': `dist/${program}` },
    files: ['dist'],
    engines,
    dependencies: Object.fromEntries(imported.map((name) => [name, dependencies[name]])),
  };
}
