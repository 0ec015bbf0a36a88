import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { root } from './bootstrap/paths.mjs';
import { checkNode, ensureDependencies } from './bootstrap/prepare.mjs';
import { fail, run, seconds } from './bootstrap/run.mjs';

const usage = `Usage: npm run test:ledger:long -- [--scale <number>] [--seed <number>] [--only <text>]

Plays the long forms of the ledger's tests, one after the other, and prints what they counted.
  --scale  multiplies all counts; 0.1 plays a tenth
  --seed   the seed of all parts; by default a fresh one
  --only   plays the parts whose name contains the text`;

const ledger = 'apps/billing/src/ledger/';

/** Each part is one run of jest; `runs` is what its tests take LEDGER_RUNS for: histories, trials, holds. */
const parts = [
  { name: 'histories in memory', project: 'unit', file: 'ledger-batch.spec', runs: 40_000 },
  { name: 'histories', project: 'int', file: 'ledger-histories', runs: 2_000 },
  { name: 'last credit', project: 'int', file: 'last-credit', runs: 1_000 },
  { name: 'duplicates', project: 'int', file: 'duplicates', runs: 100_000 },
  { name: 'clock steps', project: 'int', file: 'clock-steps', runs: 300 },
  { name: 'interleavings in memory', project: 'unit', file: 'interleavings.spec', runs: 20_000 },
  { name: 'interleavings', project: 'int', file: 'interleavings.int', runs: 1_000 },
  { name: 'at the time-out', project: 'int', file: 'at-the-time-out', runs: 10_000 },
  { name: 'expiry timelines', project: 'int', file: 'expiry-timelines', runs: 200 },
  { name: 'FIFO', project: 'unit', file: 'fifo-metamorphic', runs: 100_000 },
];
/** What the histories have to add up to, at full scale. */
const least = { commands: 1_000_000, histories: 10_000 };

const options = readOptions();
const totals = { commands: 0, histories: 0, failed: 0 };
const table = [];

function readOptions() {
  try {
    const { values } = parseArgs({
      options: { scale: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
    });
    const { scale = '1', seed = String(Date.now() % 1_000_000_000), only = '' } = values;
    if (!(Number(scale) > 0)) throw new Error('--scale must be a number above 0.');
    if (!/^\d{1,9}$/.test(seed)) throw new Error('--seed must be a whole number of at most 9 digits.');
    return { scale: Number(scale), seed, only };
  } catch (error) {
    return fail(`${error.message}\n\n${usage}`);
  }
}

/** Resolves to what jest counted; a suite that could not run, or a part without tests, counts as failed. */
async function jest({ project, file, runs }) {
  const directory = mkdtempSync(join(tmpdir(), 'results-'));
  const outputFile = join(directory, 'results.json');
  const program = join(root, 'node_modules/jest/bin/jest.js');
  const pattern = `${ledger}${file}`.replaceAll('.', '\\.');
  const { code, output } = await run(
    process.execPath,
    [
      program,
      '--selectProjects',
      project,
      '--testPathPatterns',
      pattern,
      '--json',
      '--outputFile',
      outputFile,
    ],
    { quiet: true, env: { ...process.env, LEDGER_RUNS: String(runs), LEDGER_SEED: options.seed } },
  );
  const results = existsSync(outputFile) ? JSON.parse(readFileSync(outputFile, 'utf8')) : {};
  rmSync(directory, { recursive: true });
  const passed = results.numPassedTests ?? 0;
  const failed = (results.numFailedTests ?? 0) + (results.numRuntimeErrorTestSuites ?? 0);
  const isGood = code === 0 && failed === 0 && passed > 0;
  return { passed, failed: isGood ? 0 : Math.max(1, failed), output };
}

async function play(part) {
  process.stdout.write(`\n== ${part.name}: ${part.runs}\n`);
  const startedAt = performance.now();
  const { passed, failed, output } = await jest(part);
  const lines = output.split('\n').filter((line) => line.includes('LEDGER_SEED='));
  process.stdout.write(failed > 0 ? output : lines.map((line) => `${line}\n`).join(''));
  if (part.name.startsWith('histories')) {
    totals.commands += sumOf(/(\d+) commands/g, output);
    totals.histories += sumOf(/(\d+) histories/g, output);
  }
  totals.failed += failed;
  table.push([part.name, part.runs, options.seed, seconds(startedAt), `${passed} passed, ${failed} failed`]);
}

function printTable() {
  const rows = [['part', 'runs', 'seed', 'time', 'tests'], ...table].map((row) => row.map(String));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const line = (row) => `  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd();
  process.stdout.write(`\n${rows.map(line).join('\n')}\n`);
}

function sumOf(pattern, output) {
  return [...output.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Whether the histories were as many as promised; unless only some parts were asked for. */
function isEnough() {
  if (options.only) return true;
  return Object.entries(least).every(([name, count]) => totals[name] >= count * options.scale);
}

process.chdir(root);
checkNode();
await ensureDependencies();
const startedAt = performance.now();
const chosen = parts.filter(({ name }) => name.includes(options.only));
if (chosen.length === 0) fail(`No part is called "${options.only}".`);
for (const part of chosen) await play({ ...part, runs: Math.ceil(part.runs * options.scale) });
printTable();
process.stdout.write(
  `\n${totals.commands} commands in ${totals.histories} histories, ${totals.failed} tests failed; ` +
    `seed ${options.seed}; ${seconds(startedAt)}\n`,
);
if (!isEnough()) process.stdout.write('The histories were fewer than they should be.\n');
process.exitCode = totals.failed > 0 || !isEnough() ? 1 : 0;
