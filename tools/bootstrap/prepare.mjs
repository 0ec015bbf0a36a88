import { performance } from 'node:perf_hooks';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { fail, run, seconds } from './run.mjs';

/** Ends the program on a Node.js older than `engines` in package.json allows. */
export function checkNode() {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = engines.node.match(/\d+/g).map(Number);
  const present = process.versions.node.split('.').map(Number);
  const isOld = present[0] < needed[0] || (present[0] === needed[0] && present[1] < needed[1]);
  if (isOld) fail(`Node.js ${needed.join('.')} or later is needed; this is ${process.versions.node}.`);
}

/** Runs `npm ci` when the dependencies are missing or older than the lock file. */
export async function ensureDependencies() {
  const installed = join(root, 'node_modules/.package-lock.json');
  const lock = join(root, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const startedAt = performance.now();
  process.stdout.write('Installing dependencies ...\n');
  const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    quiet: true,
  });
  if (code !== 0)
    fail(`${output}\n\`npm ci\` failed. Check the network and the npm registry, then try again.`);
  process.stdout.write(`  dependencies installed  ${seconds(startedAt)}\n`);
}
