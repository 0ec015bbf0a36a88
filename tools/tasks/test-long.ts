import { parseArgs } from 'node:util';
import { fail, run } from '../bootstrap/run.mjs';
import { TestReport } from '../testing/test-report.js';

const usage = `Usage: npm run test:long [-- --scale <number>] [-- --seed <number>] [-- --only <text>]

Runs what \`npm test\` has no time for: operations, all pages in a browser, fail-overs, restores, long random histories, every
suite again from a random seed, and the mutants of the pure rules. It takes hours.
  --scale  multiplies how many histories are played; 0.1 plays a tenth
  --seed   the seed of everything random; by default a new one
  --only   runs the parts whose name contains the text, for example ledger`;

const { scale, seed, only } = readOptions();
const report = new TestReport();

interface Part {
  readonly name: string;
  readonly play: (name: string) => Promise<unknown>;
}

/** Random histories of billing; `runs` is in the unit of the suite: histories, trials, holds. */
function histories(name: string, project: 'unit' | 'int', file: string, runs: number): Part {
  const environment = { LEDGER_RUNS: String(Math.ceil(runs * scale)), TEST_SEED: seed };
  const parameters = ['--testPathPatterns', `apps/billing/src/.*/${file.replaceAll('.', '\\.')}`];
  return { name, play: (title) => report.jest(title, { project, parameters, environment, quiet: true }) };
}

function suites(project: string, environment: NodeJS.ProcessEnv = {}): Part {
  const run = { project, environment: { TEST_SEED: seed, ...environment } };
  const { E2E_SERVERS: servers = '' } = environment;
  return {
    name: `${project} ${servers && `on ${servers} `}from another seed`,
    play: (title) => report.jest(title, run),
  };
}

function script(name: string): Part {
  return {
    name,
    play: (title) =>
      report.check(title, async () => (await run('npm', ['run', '--silent', name])).code === 0),
  };
}

const parts: readonly Part[] = [
  { name: 'long suites', play: (title) => report.jest(title, { project: 'long' }) },
  histories('ledger in memory', 'unit', 'ledger-histories.spec', 40_000),
  histories('ledger on PostgreSQL', 'int', 'ledger-histories.int', 1_000),
  histories('ledger, last credit', 'int', 'charge-races', 1_000),
  histories('ledger, planted edits', 'int', 'planted-edits', 100),
  histories('orders in memory', 'unit', 'order-histories.spec', 40_000),
  histories('orders on PostgreSQL', 'int', 'order-histories.int', 1_000),
  histories('orders, billing killed', 'int', 'killed-purchases', 100),
  suites('unit', { PROPERTY_SCALE: '10' }),
  suites('int', { PROPERTY_SCALE: '5' }),
  suites('operations', {
    ROLLOUT_SECONDS: '30',
    HOSTILE_REQUESTS: '20000',
  }),
  suites('browser'),
  suites('faults', { FAULTS: '100' }),
  ...['deployed', 'sentinel', 'cluster'].map((target) => suites('e2e', { E2E_SERVERS: target })),
  script('test:mutants'),
];

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

const chosen = parts.filter(({ name }) => name.includes(only));
if (chosen.length === 0) fail(`No part is called "${only}".`);
for (const { name, play } of chosen) await play(name);
process.stdout.write(`\nseed ${seed}\n`);
report.print();
