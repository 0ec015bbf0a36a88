import { execFile, fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { startPostgres } from '@app/local-stack';
import { BillingFactory } from '@app/testing';
import { DataSource } from 'typeorm';
import { billingDataSourceOptions } from '../apps/billing/src/database/data-source.js';
import { ask } from './ask.js';
import { type BenchCustomer, type LoadResult, type LoadTask } from './ledger-load.js';
import { readOptions } from './read-options.js';

/**
 * Charges per second: (a) one transaction per charge written plainly, (b) the ledger, (c) pgbench with a one-row update as
 * the machine's limit; on one account and on a thousand, all in one run on one PostgreSQL with synchronous_commit on.
 */
const given = readOptions('ledger', {
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
  /** Charges under way at once. */
  callers: { type: 'string', default: '64' },
  json: { type: 'string' },
});
const measureMs = Number(given.seconds) * 1_000;
const rounds = Number(given.rounds);
const warmUpMs = 1_000;
const inFlight = Number(given.callers);
/** The service's default, and the best of 2, 4, 10 and 32 for (a), which more connections only make queue for the row. */
const poolSize = 10;
const startBalance = 2_000_000_000;

let answered = 0;

interface Row {
  readonly accounts: number;
  readonly variant: string;
  readonly replicas: number;
  readonly perSecond: number;
  /** Slowest and fastest round. */
  readonly range?: readonly [number, number];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-ledger-'));
  const postgres = await startPostgres({ directory });
  try {
    const rows = await measureAll(postgres.url());
    print(rows);
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

const cases = [
  ['plain', 1],
  ['plain', 2],
  ['batched', 1],
  ['batched', 2],
] as const;

/** Tables grow while this runs, so that no case may always come first. */
function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

async function measureAll(url: string): Promise<Row[]> {
  const dataSource = await new DataSource(billingDataSourceOptions({ url, poolSize: 4 })).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await dataSource.query('CREATE TABLE bench_rows (id integer PRIMARY KEY, n integer NOT NULL)');
  await dataSource.query('INSERT INTO bench_rows SELECT id, 0 FROM generate_series(1, 1000) AS id');
  const rows: Row[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const accounts of [1, 1_000]) {
      for (const [variant, replicas] of rotated(cases, round)) {
        const customers = await createCustomers(dataSource, accounts);
        await dataSource.query('CHECKPOINT');
        rows.push(await measure(url, customers, variant, replicas));
      }
      const limit = await runPgbench(url, accounts);
      if (limit) rows.push(limit);
    }
  }
  await verify(dataSource);
  await dataSource.destroy();
  return medians(rows);
}

/** The figures count only when commits were durable and every charge that was answered is in the ledger, once. */
async function verify(dataSource: DataSource): Promise<void> {
  const [found] = await dataSource.query<
    { fsync: string; synchronous_commit: string; charges: number; taken: number }[]
  >(`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
      (SELECT count(*) FROM charges WHERE state = 'pending')::float8 AS charges,
      (SELECT sum(credits::bigint - remaining) FROM lots)::float8 AS taken`);
  const expected = { fsync: 'on', synchronous_commit: 'on', charges: answered, taken: answered };
  if (!isDeepStrictEqual({ ...found }, expected)) {
    throw new Error(
      `the run does not count: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`,
    );
  }
}

async function createCustomers(dataSource: DataSource, count: number): Promise<BenchCustomer[]> {
  const factory = new BillingFactory((sql, parameters) => dataSource.query(sql, parameters));
  const customers: BenchCustomer[] = [];
  for (let n = 0; n < count; n++) {
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    await factory.lot({ accountId, credits: startBalance });
    customers.push({ accountId, keyId });
  }
  return customers;
}

async function measure(
  url: string,
  customers: BenchCustomer[],
  variant: LoadTask['variant'],
  replicas: number,
): Promise<Row> {
  const task: LoadTask = {
    variant,
    url,
    customers,
    poolSize,
    inFlight: Math.max(1, inFlight / replicas),
    warmUpMs,
    measureMs,
  };
  const workers = Array.from({ length: replicas }, () =>
    fork(new URL('./ledger-worker.js', import.meta.url)),
  );
  try {
    await Promise.all(workers.map((worker) => ask(worker, task)));
    const answers = await Promise.all(workers.map((worker) => ask<{ result: LoadResult }>(worker, 'go')));
    const results = answers.map(({ result }) => result);
    answered += results.reduce((sum, result) => sum + result.answered, 0);
    const latencies = results.flatMap(({ latenciesMs }) => latenciesMs).sort((a, b) => a - b);
    return {
      accounts: customers.length,
      variant: variant === 'plain' ? '(a) a transaction per charge' : '(b) the ledger',
      replicas,
      perSecond: results.reduce((sum, { charges, seconds }) => sum + charges / seconds, 0),
      p50Ms: latencies[Math.floor(latencies.length * 0.5)] ?? Number.NaN,
      p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
    };
  } finally {
    for (const worker of workers) worker.kill();
  }
}

async function runPgbench(url: string, accounts: number): Promise<Row | null> {
  const pgbench = findPgbench();
  if (!pgbench) return null;
  const directory = mkdtempSync(join(tmpdir(), 'pgbench-'));
  const script = join(directory, 'update.sql');
  const statement = 'UPDATE bench_rows SET n = n + 1 WHERE id = :id;';
  writeFileSync(script, `\\set id random(1, ${accounts})\n${statement}\n`);
  const clients = ['-c', String(inFlight), '-j', '2', '-T', String(measureMs / 1_000)];
  const { stdout } = await promisify(execFile)(pgbench, [
    '-n',
    '-M',
    'prepared',
    ...clients,
    '-f',
    script,
    url,
  ]);
  rmSync(directory, { recursive: true });
  const number = (pattern: RegExp): number => Number(pattern.exec(stdout)?.[1]);
  return {
    accounts,
    variant: '(c) pgbench, one-row update',
    replicas: 0,
    perSecond: number(/tps = ([\d.]+)/),
    p50Ms: number(/latency average = ([\d.]+)/),
    p99Ms: Number.NaN,
  };
}

function findPgbench(): string | null {
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed) : [];
  const directories = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((version) => join(installed, version, 'bin')),
  ];
  return directories.map((directory) => join(directory, 'pgbench')).find((path) => existsSync(path)) ?? null;
}

/** One row per case: the round in the middle by throughput, the slower of two. */
function medians(rows: Row[]): Row[] {
  const byCase = new Map<string, Row[]>();
  for (const row of rows) {
    const name = `${row.accounts} ${row.variant} ${row.replicas}`;
    byCase.set(name, [...(byCase.get(name) ?? []), row]);
  }
  return [...byCase.values()].flatMap((same) => {
    const sorted = same.sort((a, b) => a.perSecond - b.perSecond);
    const [slowest, middle, fastest] = [
      sorted[0],
      sorted[Math.floor((sorted.length - 1) / 2)],
      sorted.at(-1),
    ];
    return slowest && middle && fastest
      ? { ...middle, range: [slowest.perSecond, fastest.perSecond] as const }
      : [];
  });
}

function print(rows: Row[]): void {
  const plain = (accounts: number) =>
    rows.find((row) => row.accounts === accounts && row.replicas === 1 && row.variant.startsWith('(a)'));
  console.table(
    rows.map((row) => ({
      accounts: row.accounts,
      variant: row.variant,
      replicas: row.replicas || '',
      'charges/s': Math.round(row.perSecond),
      rounds: row.range?.map(Math.round).join('-'),
      'p50 ms': Number(row.p50Ms.toFixed(1)),
      'p99 ms': Number.isNaN(row.p99Ms) ? '' : Number(row.p99Ms.toFixed(1)),
      'times (a)': Number((row.perSecond / (plain(row.accounts)?.perSecond ?? Number.NaN)).toFixed(1)),
    })),
  );
}

await main();
