import { performance } from 'node:perf_hooks';
import { mutants } from '../test/mutants/mutants.mjs';
import { runSpecs } from '../test/mutants/run-specs.mjs';
import { startTestServer } from '../test/mutants/test-server.mjs';
import { Workspace } from '../test/mutants/workspace.mjs';
import { root } from './bootstrap/paths.mjs';
import { fail, seconds } from './bootstrap/run.mjs';

const soundRunTimeoutMs = 600_000;
const mutantTimeoutMs = 180_000;

const usage = `npm run test:mutants [-- --only <text>] [-- --list] [-- --check]

Breaks a copy of the code that charges, one mutant at a time, and expects a test to notice each.
  --only <text>  only mutants with this text in their name or file
  --list         print the names and run nothing
  --check        see whether each can still be planted, and run nothing`;

function readOptions([...words]) {
  const options = { only: '', list: false, check: false };
  while (words.length > 0) {
    const word = words.shift();
    if (word === '--list') options.list = true;
    else if (word === '--check') options.check = true;
    else if (word === '--only' && words.length > 0) options.only = words.shift();
    else fail(usage);
  }
  return options;
}

function print(...columns) {
  process.stdout.write(`${columns.join(' | ')}\n`);
}

/** A mutant is killed when a test fails on it that passes without it. */
function verdict({ failed, trouble }, soundTests) {
  if (trouble !== undefined) return { killed: false, by: `NO VERDICT: ${trouble}` };
  const killer = failed.find(({ name, spec }) => soundTests.has(`${spec} ${name}`));
  if (killer) return { killed: true, by: `${killer.spec.split('/').at(-1)}: ${killer.name}` };
  return { killed: false, by: 'SURVIVED' };
}

/** Random histories are the same ones in every run, so that a mutant does not live or die by luck. */
function environmentOf(server) {
  return { TEST_POSTGRES_URL: server.url, LEDGER_SEED: '1' };
}

async function soundRun(workspace, server, chosen) {
  const specs = [...new Set(chosen.flatMap(({ killedBy }) => killedBy))].sort();
  const startedAt = performance.now();
  const { passed, failed, trouble } = await runSpecs(workspace, specs, {
    env: environmentOf(server),
    timeoutMs: soundRunTimeoutMs,
  });
  if (trouble !== undefined || failed.length > 0) {
    const messages = failed.map(({ name, message }) => `${name}\n${message}`);
    throw new Error(['The tests do not pass without a mutant.', ...messages, trouble].join('\n'));
  }
  print(`without a mutant ${passed.length} tests of ${specs.length} specs pass`, seconds(startedAt));
  return new Set(passed.map(({ name, spec }) => `${spec} ${name}`));
}

async function tryAll(workspace, chosen) {
  const server = await startTestServer();
  try {
    const soundTests = await soundRun(workspace, server, chosen);
    const width = Math.max(...chosen.map(({ name }) => name.length));
    print('\n' + 'mutant'.padEnd(width), 'killed by', 'seconds');
    const alive = [];
    for (const mutant of chosen) {
      const startedAt = performance.now();
      await server.clear();
      const result = await workspace.withMutant(mutant, () =>
        runSpecs(workspace, mutant.killedBy, {
          env: environmentOf(server),
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

async function main() {
  process.chdir(root);
  const { only, list, check } = readOptions(process.argv.slice(2));
  const chosen = mutants.filter(({ name, file }) => name.includes(only) || file.includes(only));
  if (list) return chosen.forEach(({ name, file }) => print(name, file));
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
