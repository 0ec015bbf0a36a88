import { performance } from 'node:perf_hooks';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInRange } from './node-version.mjs';
import { root } from './paths.mjs';
import { fail, progress, run, seconds } from './run.mjs';

/** Checks Node.js and installs the dependencies, which every program here needs. Exits on failure. */
export async function prepare() {
  checkNode();
  await ensureDependencies();
}

/** Exits on a Node.js version that `engines` in package.json excludes: on some of them the build fails. */
function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const present = process.versions.node;
  if (!isInRange(present, engines.node)) {
    fail(`Node.js ${engines.node} is required; this is ${present}.`);
  }
}

/** Runs `npm ci` when dependencies are missing or have another version than the lock file says. */
async function ensureDependencies() {
  if (areInstalled()) return;
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    fail(
      'node_modules is a link to another directory, whose packages would be replaced: remove the link first.',
    );
  }
  const startedAt = performance.now();
  progress('Installing dependencies ...');
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    quiet: true,
  });
  if (code !== 0)
    fail(`${output}\n\`npm ci\` failed. Check the network and the npm registry, then try again.`);
  progress(`  dependencies installed  ${seconds(startedAt)}`);
}

/** An optional package may be missing: it is for another platform. */
function areInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = packagesOf(installed);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
  );
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
