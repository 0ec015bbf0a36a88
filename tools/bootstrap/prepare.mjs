import { performance } from 'node:perf_hooks';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRange, isInRange } from './node-version.mjs';
import { root } from './paths.mjs';
import { fail, run, seconds } from './run.mjs';

/** Ends the program on a Node.js that `engines` in package.json does not name: on some of them the build fails. */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const present = process.versions.node;
  if (!isInRange(present, engines.node)) {
    fail(`Node.js ${describeRange(engines.node)} is needed; this is ${present}.`);
  }
}

/** Runs `npm ci` when dependencies are missing or have another version than the lock file says. */
export async function ensureDependencies() {
  if (areInstalled()) return;
  if (isLink(join(root, 'node_modules'))) {
    fail('node_modules is a link to another directory, whose packages would be replaced: remove it first.');
  }
  const startedAt = performance.now();
  process.stdout.write('Installing dependencies ...\n');
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    quiet: true,
  });
  if (code !== 0)
    fail(`${output}\n\`npm ci\` failed. Check the network and the npm registry, then try again.`);
  process.stdout.write(`  dependencies installed  ${seconds(startedAt)}\n`);
}

/** A package that is optional may be missing: it is for another system. */
function areInstalled() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = packagesOf(installed);
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
