import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { fail, seconds } from '../bootstrap/run.mjs';
import { type Mutant } from '../mutants/mutant.js';
import { mutants } from '../mutants/mutants.js';
import { runSpecs, type SpecsResult } from '../mutants/run-specs.js';
import { startTestServer, type TestServer } from '../mutants/test-server.js';
import { Workspace } from '../mutants/workspace.js';

const soundRunTimeoutMs = 600_000;
const mutantTimeoutMs = 180_000;

const usage = `npm run test:mutants [-- --only <text>] [-- --list] [-- --check]

Breaks a copy of the code that charges, one mutant at a time, and expects a test to notice each.
  --only <text>  only mutants with this text in their name or file
  --list         print the names and run nothing
  --check        see whether each can still be planted, and run nothing`;

interface Options {
  readonly only: string;
  readonly list: boolean;
  readonly check: boolean;
}

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: { only: { type: 'string' }, list: { type: 'boolean' }, check: { type: 'boolean' } },
    });
    return { only: values.only ?? '', list: values.list ?? false, check: values.check ?? false };
  } catch {
    return fail(usage);
  }
}

function print(...columns: readonly string[]): void {
  process.stdout.write(`${columns.join(' | ')}\n`);
}

/** A mutant is killed when a test fails on it that passes without it. */
function verdict(
  { failed, trouble }: SpecsResult,
  soundTests: ReadonlySet<string>,
): { killed: boolean; by: string } {
  if (trouble !== undefined) return { killed: false, by: `NO VERDICT: ${trouble}` };
  const killer = failed.find(({ name, spec }) => soundTests.has(`${spec} ${name}`));
  if (killer) return { killed: true, by: `${basename(killer.spec)}: ${killer.name}` };
  return { killed: false, by: 'SURVIVED' };
}

/** Random histories are the same in every run, so that the result of a mutant does not depend on chance. */
function environmentOf(server: TestServer): Record<string, string> {
  return { TEST_POSTGRES_URL: server.url, LEDGER_SEED: '1' };
}

/** The names of the tests that pass without a mutant. Throws when one does not. */
async function soundRun(
  workspace: Workspace,
  server: TestServer,
  chosen: readonly Mutant[],
): Promise<ReadonlySet<string>> {
  const specs = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))].sort();
  const startedAt = performance.now();
  const { passed, failed, trouble } = await runSpecs(workspace, specs, {
    environment: environmentOf(server),
    timeoutMs: soundRunTimeoutMs,
  });
  const withoutTest = specs.filter((spec) => !passed.some((test) => test.spec === spec));
  if (trouble !== undefined || failed.length > 0 || withoutTest.length > 0) {
    const messages = failed.map(({ name, message }) => `${name}\n${message}`);
    throw new Error(
      [
        'The tests do not pass without a mutant.',
        ...messages,
        trouble,
        ...withoutTest.map((spec) => `${spec}: no test ran`),
      ].join('\n'),
    );
  }
  print(`without a mutant ${passed.length} tests of ${specs.length} specs pass`, seconds(startedAt));
  return new Set(passed.map(({ name, spec }) => `${spec} ${name}`));
}

/** Returns the mutants that no test killed. */
async function tryAll(workspace: Workspace, chosen: readonly Mutant[]): Promise<Mutant[]> {
  const server = await startTestServer();
  try {
    const soundTests = await soundRun(workspace, server, chosen);
    const width = Math.max(...chosen.map(({ name }) => name.length));
    print('\n' + 'mutant'.padEnd(width), 'killed by', 'seconds');
    const alive: Mutant[] = [];
    for (const mutant of chosen) {
      const startedAt = performance.now();
      await server.clear();
      const result = await workspace.withMutant(mutant, () =>
        runSpecs(workspace, mutant.killedBy, {
          environment: environmentOf(server),
          timeoutMs: mutantTimeoutMs,
          inBand: true,
          test: mutant.test,
        }),
      );
      const { killed, by } = verdict(result, soundTests);
      if (!killed) alive.push(mutant);
      print(mutant.name.padEnd(width), by, seconds(startedAt));
    }
    return alive;
  } finally {
    await server.stop();
  }
}

async function main(): Promise<void> {
  const { only, list, check } = readOptions();
  const chosen = mutants.filter(({ name, file }) => name.includes(only) || file.includes(only));
  if (list) {
    for (const { name, file } of chosen) print(name, file);
    return;
  }
  if (chosen.length === 0) fail(`No mutant has "${only}" in its name or file.`);

  const startedAt = performance.now();
  const workspace = new Workspace();
  process.once('exit', () => workspace.remove());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  const problems = mutants.flatMap((mutant) => workspace.problemsOf(mutant));
  if (problems.length > 0) fail(`The list of mutants does not fit the code.\n${problems.join('\n')}`);
  if (check) return;

  const alive = await tryAll(workspace, chosen);
  print(`\n${chosen.length - alive.length} of ${chosen.length} mutants killed`, seconds(startedAt));
  if (alive.length > 0) fail(alive.map(({ name, file }) => `not killed: ${name} (${file})`).join('\n'));
}

await main();
