import { parseArgs } from 'node:util';
import { fail, seconds } from '../bootstrap/run.mjs';
import { runJest } from '../testing/run-jest.js';

const usage = `Usage: npm run test:ledger:long -- [--scale <number>] [--seed <number>] [--only <text>]

Runs the long versions of the tests of the ledger and of orders, one after the other, and prints their counts.
  --scale  multiplies all counts; 0.1 runs a tenth
  --seed   the seed of all parts; by default a random one
  --only   runs the parts whose name contains the text, for example orders`;

const billing = 'apps/billing/src/';

/** One run of jest. */
interface Part {
  readonly name: string;
  readonly project: 'unit' | 'int';
  readonly file: string;
  /** The unit of LEDGER_RUNS in its tests: histories, trials, holds. */
  readonly runs: number;
}

const parts: readonly Part[] = [
  { name: 'histories in memory', project: 'unit', file: 'ledger-batch.spec', runs: 40_000 },
  { name: 'histories', project: 'int', file: 'ledger-histories', runs: 2_000 },
  { name: 'last credit', project: 'int', file: 'last-credit', runs: 1_000 },
  { name: 'duplicates', project: 'int', file: 'duplicates', runs: 100_000 },
  { name: 'clock steps', project: 'int', file: 'clock-steps', runs: 300 },
  { name: 'interleavings in memory', project: 'unit', file: 'interleavings.spec', runs: 20_000 },
  { name: 'interleavings', project: 'int', file: 'interleavings.int', runs: 1_000 },
  { name: 'at the time-out', project: 'int', file: 'at-the-time-out', runs: 10_000 },
  { name: 'expiry timelines', project: 'int', file: 'expiry-timelines', runs: 200 },
  { name: 'orders in memory', project: 'unit', file: 'order-histories.spec', runs: 40_000 },
  { name: 'orders', project: 'int', file: 'order-histories.int', runs: 1_000 },
  { name: 'FIFO', project: 'unit', file: 'fifo-metamorphic', runs: 100_000 },
];
/** The expected totals of the histories, at full scale. */
const least = { commands: 1_000_000, histories: 10_000 };

const options = readOptions();
const totals = { commands: 0, histories: 0, failed: 0 };
const table: string[][] = [];

function readOptions(): { scale: number; seed: string; only: string } {
  try {
    const { values } = parseArgs({
      options: { scale: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
    });
    const { scale = '1', seed = String(Date.now() % 1_000_000_000), only = '' } = values;
    if (!(Number(scale) > 0)) throw new Error('--scale must be a number above 0.');
    if (!/^\d{1,9}$/.test(seed)) throw new Error('--seed must be a whole number of at most 9 digits.');
    return { scale: Number(scale), seed, only };
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

async function play({ name, project, file, runs }: Part): Promise<void> {
  process.stdout.write(`\n== ${name}: ${runs}\n`);
  const startedAt = performance.now();
  const totalsOfJest = await runJest({
    project,
    parameters: ['--testPathPatterns', `${billing}.*/${file.replaceAll('.', '\\.')}`],
    environment: { LEDGER_RUNS: String(runs), LEDGER_SEED: options.seed },
    quiet: true,
  });
  const { passed, output } = totalsOfJest;
  // A part without tests proves nothing.
  const failed = passed > 0 ? totalsOfJest.failed : Math.max(1, totalsOfJest.failed);
  const lines = output.split('\n').filter((line) => line.includes('LEDGER_SEED='));
  process.stdout.write(failed > 0 ? output : lines.map((line) => `${line}\n`).join(''));
  if (name.startsWith('histories')) {
    totals.commands += sumOf(/(\d+) commands/g, output);
    totals.histories += sumOf(/(\d+) histories/g, output);
  }
  totals.failed += failed;
  table.push([name, String(runs), options.seed, seconds(startedAt), `${passed} passed, ${failed} failed`]);
}

function printTable(): void {
  const head = ['part', 'runs', 'seed', 'time', 'tests'];
  const rows = [head, ...table];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  process.stdout.write(`\n${rows.map(line).join('\n')}\n`);
}

function sumOf(pattern: RegExp, output: string): number {
  return [...output.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Whether there were as many histories as promised; not checked when only some parts run. */
function isEnough(): boolean {
  if (options.only !== '') return true;
  return (
    totals.commands >= least.commands * options.scale && totals.histories >= least.histories * options.scale
  );
}

const startedAt = performance.now();
const chosen = parts.filter(({ name }) => name.includes(options.only));
if (chosen.length === 0) fail(`No part is called "${options.only}".`);
for (const part of chosen) await play({ ...part, runs: Math.ceil(part.runs * options.scale) });
printTable();
process.stdout.write(
  `\n${totals.commands} commands in ${totals.histories} histories, ${totals.failed} tests failed; ` +
    `seed ${options.seed}; ${seconds(startedAt)}\n`,
);
if (!isEnough()) process.stdout.write('There were fewer histories than required.\n');
process.exitCode = totals.failed > 0 || !isEnough() ? 1 : 0;
