import { run, seconds } from '../bootstrap/run.mjs';
import { buildProjects } from '../building/build-projects.js';
import { runJest } from '../testing/run-jest.js';

const totals = { passed: 0, failed: 0 };
const times: string[] = [];
/** The tests that this machine can't run, by project; each of these runs has said why. */
const skips: string[] = [];

/** Runs one step; `work` resolves to whether it succeeded. The step itself counts its failures. */
async function step(name: string, work: () => Promise<boolean>): Promise<boolean> {
  process.stdout.write(`\n== ${name}\n`);
  const startedAt = performance.now();
  const isGood = await work();
  times.push(`  ${(isGood ? 'ok' : 'FAILED').padEnd(7)} ${name.padEnd(14)} ${seconds(startedAt)}`);
  return isGood;
}

/** A check without individual tests: only its failure counts. */
function check(name: string, work: () => Promise<boolean>): Promise<boolean> {
  return step(name, async () => {
    const isGood = await work();
    if (!isGood) totals.failed += 1;
    return isGood;
  });
}

async function script(name: string): Promise<boolean> {
  const { code, output } = await run('npm', ['run', '--silent', name], { quiet: true });
  if (code !== 0) process.stdout.write(output);
  return code === 0;
}

async function build(): Promise<boolean> {
  try {
    await buildProjects();
    return true;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

function jest(project: string): Promise<boolean> {
  return step(project, async () => {
    const { passed, failed, skipped } = await runJest({ project });
    totals.passed += passed;
    totals.failed += failed;
    if (skipped > 0) skips.push(`${project}: ${skipped}`);
    return failed === 0;
  });
}

// Lint takes as long as the other three, and one core.
const linted = check('lint', () => script('lint'));
await check('typecheck', () => script('typecheck'));
const isBuilt = await check('build', build);
await jest('unit');
await linted;
await jest('int');
if (isBuilt) {
  await jest('e2e');
  await jest('operations');
  await jest('browser');
  await jest('faults');
}
process.stdout.write(`\n${times.join('\n')}\n`);
if (skips.length > 0) process.stdout.write(`\nskipped on this machine: ${skips.join(', ')}\n`);
process.stdout.write(`\n${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = totals.failed > 0 ? 1 : 0;
