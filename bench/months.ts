import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withClient } from '@app/local-stack';
import { TransactionRunner } from '@app/platform/database';
import { DataSource } from 'typeorm';
import { billingDataSourceOptions } from '../apps/billing/src/database/data-source.js';
import { entities } from '../apps/billing/src/entities.js';
import { EntryBalancesStep } from '../apps/billing/src/reports/statements/entry-balances.step.js';
import { type History } from './ledger-cost/history.js';
import { Side } from './ledger-cost/side.js';
import { addHourOfCalls } from './ledger-cost/hour-of-calls.js';
import { archiveOldest } from './months/archive-oldest.js';
import { LedgerReads } from './months/ledger-reads.js';
import { sizesOf } from './months/sizes.js';
import { percentile } from './percentile.js';
import { readOptions } from './read-options.js';
import { settle } from './whole-call/database-server.js';

/**
 * What everybody waits for, in a new ledger and in one with many months of charges: a charge, the balance, a page of a statement and
 * the hourly audit. Both have the same accounts and take turns. And how large a call is, in the database and in an archive.
 */
const given = readOptions('months', {
  /** The ledgers: how many charges, in how many periods of 30 days until now. */
  ledgers: { type: 'string', default: '1000/1,10000000/14' },
  callers: { type: 'string', default: '1,16' },
  /** Of a round. */
  calls: { type: 'string', default: '20000' },
  reads: { type: 'string', default: '5000' },
  /** Charges of the hour that is audited. */
  hour: { type: 'string', default: '100000' },
  rounds: { type: 'string', default: '3' },
  /** Archives the oldest months at the end, which removes them from a kept database. */
  archive: { type: 'boolean', default: false },
  /** An empty directory of PostgreSQL's user, for the old months of the last ledger: on a compressed disk, for example. */
  'old-months': { type: 'string' },
  /** Keeps the databases there, for further runs. */
  data: { type: 'string' },
});
const wanted = given.ledgers.split(',');
const rounds = Number(given.rounds);
const [calls, reads] = [Number(given.calls), Number(given.reads)];

interface Ledger {
  readonly history: History;
  readonly side: Side;
  readonly reads: LedgerReads;
}

type Measure = (ledger: Ledger) => Promise<readonly number[]>;

async function main(): Promise<void> {
  const ledgers: Ledger[] = [];
  try {
    const last = wanted.at(-1);
    for (const ledger of wanted) {
      ledgers.push(await open(ledger, ledger === last ? given['old-months'] : undefined));
    }
    for (const { history, side } of ledgers) await printSizes(history, side.url);
    for (const callers of given.callers.split(',').map(Number)) {
      await compare(ledgers, `charge, ${callers} callers`, async ({ side }) => {
        return (await side.play({ callers, calls })).latenciesMs;
      });
    }
    await compare(ledgers, 'balance', (ledger) => ledger.reads.balances(reads));
    await compare(ledgers, 'first page', (ledger) => ledger.reads.firstPages(reads));
    await compare(ledgers, 'next page', (ledger) => ledger.reads.nextPages(reads));
    await compare(ledgers, 'purchases', (ledger) => ledger.reads.purchases(reads));
    await compare(ledgers, 'call by its id', (ledger) => ledger.reads.callsById(reads));
    for (const { side, reads: of } of ledgers) {
      await of.rememberCheckpoint();
      await addHourOfCalls(side.url, Number(given.hour));
    }
    await compare(ledgers, 'hourly audit', async (ledger) => [await ledger.reads.hourlyAudit()]);
    if (given.archive) for (const { history, side } of ledgers) await printArchive(history, side.url);
  } finally {
    for (const { side, reads: of } of ledgers) {
      await of.close();
      await side.stop();
    }
  }
}

async function open(ledger: string, oldMonths: string | undefined): Promise<Ledger> {
  const [count = Number.NaN, periods = Number.NaN] = ledger.split('/').map(Number);
  const directory = given.data && resolve(given.data, `${count}-${periods}`);
  const side = await Side.open({
    name: ledger,
    checkout: '.',
    history: count,
    periods,
    oldMonths,
    directory,
  });
  await addBalances(side.url, ledger);
  await settle(side.url);
  return { history: { count, periods }, side, reads: await LedgerReads.open(side.url) };
}

/** What billing adds in the background to the entries of a past that it has not seen. */
async function addBalances(url: string, ledger: string): Promise<void> {
  const dataSource = await new DataSource(
    billingDataSourceOptions({ url, poolSize: 2, entities }),
  ).initialize();
  const step = new EntryBalancesStep(new TransactionRunner(dataSource));
  const startedAt = performance.now();
  let longestMs = 0;
  for (let at = startedAt; (await step.run()) > 0; at = performance.now()) {
    longestMs = Math.max(longestMs, performance.now() - at);
  }
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  process.stdout.write(`balances of ${ledger} in ${seconds} s, at most ${longestMs.toFixed(0)} ms at once\n`);
  await dataSource.destroy();
}

/** In rounds that take turns, so that whatever else the machine does meets all. */
async function compare(ledgers: readonly Ledger[], what: string, measure: Measure): Promise<void> {
  const latencies = ledgers.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, ledger] of ledgers.entries()) latencies[index]?.push(...(await measure(ledger)));
  }
  const figures = latencies.map((of) => ({
    mean: of.reduce((sum, latency) => sum + latency, 0) / of.length,
    p50: percentile(of, 0.5),
    p99: percentile(of, 0.99),
  }));
  const [first] = figures;
  console.table(
    figures.map(({ mean, p50, p99 }, index) => ({
      what,
      charges: ledgers[index]?.history.count,
      'mean ms': mean.toFixed(2),
      'p50 ms': p50.toFixed(2),
      'p99 ms': p99.toFixed(2),
      'times the first': first && `${(mean / first.mean).toFixed(2)}, ${(p50 / first.p50).toFixed(2)}`,
    })),
  );
}

async function printSizes({ count: charges }: History, url: string): Promise<void> {
  console.table(
    await withClient(url, async (client) => (await sizesOf(client)).map((row) => ({ charges, ...row }))),
  );
}

async function printArchive({ count: charges, periods }: History, url: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-archives-'));
  try {
    const archived = await archiveOldest(url, directory, Math.max(3, periods - 2));
    console.table(archived.map((row) => ({ charges, ...row })));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await main();
