import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** Of an import or an export from elsewhere, as the compiler writes them; not of a relative path. */
const specifiers = /^(?:import|export)\s(?:[^'";]*\sfrom\s)?['"]([^.'"][^'"]*)|\bimport\('([^.'][^']*)'\)/gm;

/** Types, source maps and documents, which Node.js never loads, are half of what packages consist of. */
const neverLoaded = /\.([cm]?tsx?|map|md|markdown|flow|tsbuildinfo)$/i;

/** Must come with every copy of a package, whatever its file is called: `LICENSE.md`, `license`, `NOTICE`. */
const legal = /^(licen[cs]e|copying|notice)\b/i;

/**
 * The directories of the packages that the build of a service loads: those that it imports, and what these depend on.
 * Throws when it imports a package that is not a dependency of this project.
 *
 * @param {string} build a directory, such as `dist/apps/billing`
 * @param {string} root has `package.json` and `node_modules`
 */
export function packagesOf(build, root = '.') {
  /** @type {Set<string>} */
  const found = new Set();
  /** @type {(from: string, name: string) => void} */
  const add = (from, name) => {
    const directory = installed(from, name);
    if (directory === undefined || found.has(directory)) return;
    found.add(directory);
    for (const needed of dependenciesOf(directory)) add(directory, needed);
  };
  const { dependencies } = readPackage(root);
  for (const name of importsOf(build)) {
    if (!(name in dependencies)) throw new Error(`${build} imports ${name}, which is not in dependencies.`);
    add(root, name);
  }
  return [...found].sort();
}

/**
 * The files of a package that Node.js may load, and its licence, without those of packages inside it.
 *
 * @param {string} directory
 */
export function loadableFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (!neverLoaded.test(entry.name) || legal.test(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !relative(directory, file).includes('node_modules'));
}

/**
 * Copies what the build of a service loads, as `node_modules`.
 *
 * @param {string} build
 * @param {string} destination
 * @param {string} root
 */
export function copyPackages(build, destination, root = '.') {
  for (const file of packagesOf(build, root).flatMap(loadableFiles)) {
    cpSync(file, join(destination, relative(join(root, 'node_modules'), file)));
  }
}

/**
 * Names of the packages that a build imports.
 *
 * @param {string} build
 */
export function importsOf(build) {
  const files = readdirSync(build, { recursive: true, encoding: 'utf8' });
  const texts = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(join(build, file), 'utf8'));
  const all = texts.flatMap((text) =>
    [...text.matchAll(specifiers)].map(([, once, later = '']) => once ?? later),
  );
  const names = all.filter((specifier) => !isBuiltin(specifier)).map(packageName);
  return [...new Set(names)];
}

/** @param {string} specifier */
function packageName(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** @param {string} directory */
function dependenciesOf(directory) {
  const {
    dependencies,
    optionalDependencies,
    peerDependencies = {},
    peerDependenciesMeta,
  } = readPackage(directory);
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Where Node.js finds a package; undefined for an optional one that is not installed.
 *
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function installed(from, name) {
  const directory = join(from, 'node_modules', name);
  if (existsSync(directory)) return directory;
  const parent = dirname(from);
  return parent === from ? undefined : installed(parent, name);
}

/**
 * @param {string} directory
 * @returns {{ name: string, version: string, description: string, license: string, type: string, engines: object, dependencies: Record<string, string>, optionalDependencies?: Record<string, string>,
 *   peerDependencies?: Record<string, string>, peerDependenciesMeta?: Record<string, { optional?: boolean }> }}
 */
export function readPackage(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}
