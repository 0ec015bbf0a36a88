import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '@app/local-stack';
import { root } from '../bootstrap/paths.mjs';
import { fail, run, seconds } from '../bootstrap/run.mjs';
import { type Fault } from '../mutants/fault.js';
import { faults } from '../mutants/faults.js';
import { isSource, placeOf, Workspace } from '../mutants/workspace.js';

const timeoutMs = 600_000;

const usage = `Usage: npm run test:mutants -- [options]

Plants faults in a copy of the sources, one at a time, and expects a test to notice each.
  --only TEXT  only faults with this in their name
  --check      only check that each can be planted, and that each rule that Stryker breaks is a file
`;

/** Failures that show that the fault is no program, or that a server is gone. */
const notNoticed = /\b(SyntaxError|ReferenceError|Cannot find module|ECONNREFUSED)\b/;

function readOptions(): { only?: string; check?: boolean } {
  try {
    return parseArgs({ options: { only: { type: 'string' }, check: { type: 'boolean' } } }).values;
  } catch {
    return fail(usage);
  }
}

function problemOf(fault: Fault): string[] {
  try {
    placeOf(fault);
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The rules in the configuration of Stryker that are no file any longer: it says nothing of those. */
async function missingRules(): Promise<string[]> {
  const { default: config } = (await import(`${root}/stryker.config.mjs`)) as {
    default: { mutate: string[] };
  };
  return config.mutate.filter((pattern) => !isSource(basename(pattern)));
}

/** Runs specs of the workspace on a PostgreSQL of their own: a fault may be one of the schema. */
async function runSpecs(
  workspace: Workspace,
  specs: readonly string[],
  parameters: readonly string[] = [],
): Promise<{ code: number; output: string }> {
  const postgres = await startPostgres();
  const jest = [join(root, 'node_modules/jest/bin/jest.js'), '--config', workspace.jestConfig];
  // Random histories are the same in every run, so that the verdict does not depend on chance.
  const env = { ...process.env, TEST_POSTGRES_URL: postgres.url(), LEDGER_SEED: '1', FORCE_COLOR: '0' };
  const options = { quiet: true, env, signal: AbortSignal.timeout(timeoutMs) };
  const paths = specs.map((spec) => workspace.path(spec));
  const all = [...jest, '--ci', '--silent', '--forceExit', ...parameters, '--runTestsByPath', ...paths];
  try {
    return await run(process.execPath, all, options);
  } finally {
    await postgres.stop();
  }
}

/** What the tests say of a fault. */
async function verdictOf(workspace: Workspace, fault: Fault): Promise<string> {
  const place = placeOf(fault);
  const parameters = ['--runInBand', ...(fault.test === undefined ? [] : ['--testNamePattern', fault.test])];
  const { code, output } = await workspace.withFault(place, () =>
    runSpecs(workspace, [place.spec], parameters),
  );
  const failure = /● (?!Console)(.*)/.exec(output)?.[1];
  if (code === 0) return 'NOT NOTICED';
  return failure === undefined || notNoticed.test(output) ? `NO VERDICT: ${output.slice(-2_000)}` : failure;
}

async function main(): Promise<void> {
  const { only = '', check } = readOptions();
  const chosen = faults.filter(({ name }) => name.includes(only));
  const problems = faults.flatMap(problemOf);
  if (problems.length > 0) fail(`Faults that cannot be planted:\n${problems.join('\n')}`);
  if (chosen.length === 0) fail(`No fault has "${only}" in its name.`);
  if (check) {
    const missing = await missingRules();
    if (missing.length > 0) fail(`Rules in stryker.config.mjs that do not exist:\n${missing.join('\n')}`);
    return;
  }

  const startedAt = performance.now();
  const workspace = new Workspace();
  const specs = [...new Set(chosen.map((fault) => placeOf(fault).spec))];
  const sound = await runSpecs(workspace, specs);
  if (sound.code !== 0) {
    const failures = sound.output.match(/^(FAIL| {2}●) .*(\n\n {4}.*)*/gm) ?? [sound.output.slice(-2_000)];
    fail(`The tests do not pass without a fault.\n${failures.join('\n')}`);
  }
  const missed: string[] = [];
  for (const fault of chosen) {
    const verdict = await verdictOf(workspace, fault);
    if (/^NO/.test(verdict)) missed.push(fault.name);
    process.stdout.write(`${fault.name.padEnd(75)} ${verdict}\n`);
  }
  const noticed = chosen.length - missed.length;
  process.stdout.write(`\n${noticed} of ${chosen.length} faults noticed, ${seconds(startedAt)}\n`);
  if (missed.length > 0) process.exitCode = 1;
}

await main();
