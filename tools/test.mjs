import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { buildProjects } from './bootstrap/build-projects.mjs';
import { root } from './bootstrap/paths.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { run, seconds } from './bootstrap/run.mjs';

const totals = { passed: 0, failed: 0 };
const times = [];

/** Runs one step; `work` resolves to whether it went well. A failure is counted by the step itself. */
async function step(name, work) {
  process.stdout.write(`\n== ${name}\n`);
  const startedAt = performance.now();
  const isGood = await work();
  times.push(`  ${(isGood ? 'ok' : 'FAILED').padEnd(7)} ${name.padEnd(14)} ${seconds(startedAt)}`);
  return isGood;
}

/** A check without single tests: only its failure counts. */
async function check(name, work) {
  return step(name, async () => {
    const isGood = await work();
    if (!isGood) totals.failed += 1;
    return isGood;
  });
}

async function script(name) {
  const { code, output } = await run('npm', ['run', '--silent', name], { quiet: true });
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

async function build() {
  try {
    await buildProjects();
    return true;
  } catch (error) {
    process.stdout.write(`${error.message}\n`);
    return false;
  }
}

/** One jest project. A suite that could not run at all counts as one failed test. */
async function jest(project, parameters = []) {
  return step(project, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'results-'));
    const outputFile = join(directory, 'results.json');
    const program = join(root, 'node_modules/jest/bin/jest.js');
    const { code } = await run(process.execPath, [
      ...[program, '--selectProjects', project, '--json', '--outputFile', outputFile],
      ...parameters,
    ]);
    const results = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : {};
    rmSync(directory, { recursive: true });
    const failed = (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
    totals.passed += results.numPassedTests ?? 0;
    totals.failed += code === 0 ? failed : Math.max(1, failed);
    return code === 0 && failed === 0;
  });
}

process.chdir(root);
checkNode();
await ensureDependencies();
// Each of these uses one core.
const linted = check('lint', () => script('lint'));
await check('typecheck', () => script('typecheck'));
const isBuilt = await check('build', build);
await linted;
await jest('unit');
await jest('int');
if (isBuilt) {
  await jest('e2e');
  await jest('operations');
  await jest('faults');
}
process.stdout.write(`\n${times.join('\n')}\n\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
