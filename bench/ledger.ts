import 'reflect-metadata';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChargeRequest } from '#contracts';
import { guardDirectory, startPostgres } from '#dev';
import { TransactionRunner } from '#platform/database';
import { BillingFactory, keyHashOf } from '#testing';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AccountTransactions } from '../apps/billing/src/database/account-transactions.js';
import {
  billingDataSourceOptions,
  billingMigrationOptions,
} from '../apps/billing/src/database/data-source.js';
import { ChargeController } from '../apps/billing/src/ledger/charges/charge.controller.js';
import { ChargeRepository } from '../apps/billing/src/ledger/charges/charge.repository.js';
import { LedgerTransactions } from '../apps/billing/src/ledger/charges/ledger-transactions.js';
import { LotsRepository } from '../apps/billing/src/ledger/lots/lots.repository.js';
import { defaultLedgerOptions } from '../apps/billing/src/ledger/rules/ledger-options.js';
import { percentile } from './harness/percentile.js';
import { readOptions } from './harness/read-options.js';
import { cpuMs, walBytes } from './harness/usage.js';

/** What a charge costs PostgreSQL, without messages, on one account and on a thousand. Commits are durable. */
const given = readOptions('ledger', {
  seconds: { type: 'string', default: '5' },
  rounds: { type: 'string', default: '3' },
  callers: { type: 'string', default: '1,16,64' },
  accounts: { type: 'string', default: '1,1000' },
  json: { type: 'string' },
});
const poolSize = 10;
const startBalance = 2_000_000_000;
/** Longer than any run: these charges are never settled, and returning them is not what is measured. */
const pendingTimeoutMs = 3_600_000;

interface Customer {
  readonly accountId: string;
  readonly keyId: string;
}

type Round = Awaited<ReturnType<typeof measureRound>>;

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-ledger-'));
  guardDirectory(directory);
  const postgres = await startPostgres({ directory });
  try {
    const url = postgres.url();
    const migrations = await new DataSource(billingMigrationOptions(url)).initialize();
    await migrations.runMigrations({ transaction: 'each' });
    const dataSource = await new DataSource(billingDataSourceOptions({ url, poolSize })).initialize();
    const charges = chargesOn(dataSource);
    const rows = [];
    for (const accounts of numbersIn(given.accounts)) {
      const customers = await createCustomers(migrations, accounts);
      for (const callers of numbersIn(given.callers)) {
        const measured = await measure({ url, pid: postgres.pid, customers, callers, charges });
        console.table([measured]);
        rows.push(measured);
      }
    }
    await verify(migrations, rows.length > 0);
    await dataSource.destroy();
    await migrations.destroy();
    if (given.json) writeFileSync(given.json, `${JSON.stringify(rows, null, 2)}\n`);
  } finally {
    await postgres.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Charges as a replica of billing makes them. */
function chargesOn(dataSource: DataSource): ChargeController {
  const options = { ...defaultLedgerOptions, pendingTimeoutMs };
  const repository = new ChargeRepository(new LotsRepository());
  const accounts = new AccountTransactions(new TransactionRunner(dataSource));
  return new ChargeController(new LedgerTransactions(accounts, repository, options), options);
}

async function createCustomers(dataSource: DataSource, count: number): Promise<Customer[]> {
  const factory = new BillingFactory((sql, parameters) => dataSource.query(sql, parameters));
  const customers: Customer[] = [];
  for (let n = 0; n < count; n++) {
    const accountId = await factory.account();
    const keyId = await factory.key(accountId);
    await factory.lot({ accountId, credits: startBalance });
    customers.push({ accountId, keyId });
  }
  return customers;
}

interface Load {
  readonly url: string;
  /** Process id of the PostgreSQL backend. */
  readonly pid: number;
  readonly customers: readonly Customer[];
  readonly callers: number;
  readonly charges: ChargeController;
}

/** The median of each figure over all rounds. */
async function measure(load: Load) {
  const rounds: Round[] = [];
  for (let round = 0; round < Number(given.rounds); round++) rounds.push(await measureRound(load));
  const median = (figure: keyof Round): number => {
    const values = rounds.map((round) => round[figure]);
    return Number(percentile(values, 0.5).toPrecision(3));
  };
  return {
    accounts: load.customers.length,
    callers: load.callers,
    'calls/s': median('callsPerSecond'),
    'p50 ms': median('p50Ms'),
    'p99 ms': median('p99Ms'),
    'PostgreSQL CPU ms': median('postgresCpuMsPerCall'),
    'WAL bytes': median('walBytesPerCall'),
  };
}

let charged = 0;

async function measureRound({ url, pid, customers, callers, charges }: Load) {
  const [cpuBefore, walBefore] = [cpuMs(pid), await walBytes(url)];
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endAt = startedAt + Number(given.seconds) * 1_000;
  const caller = async (): Promise<void> => {
    for (let began = performance.now(); began < endAt; began = performance.now()) {
      const { outcome } = await charges.charge(requestOf(customers));
      if (outcome !== 'charged') throw new Error(`a charge ended as ${outcome}`);
      latenciesMs.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = latenciesMs.length;
  charged += calls;
  return {
    callsPerSecond: calls / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p99Ms: percentile(latenciesMs, 0.99),
    postgresCpuMsPerCall: (cpuMs(pid) - cpuBefore) / calls,
    walBytesPerCall: ((await walBytes(url)) - walBefore) / calls,
  };
}

function requestOf(customers: readonly Customer[]): ChargeRequest {
  const customer = customers[Math.floor(Math.random() * customers.length)];
  if (!customer) throw new Error('no customers');
  const { accountId: account_id, keyId: key_id } = customer;
  const charge_id = uuidv7();
  const key = { account_id, key_id, key_hash: keyHashOf(key_id) };
  return { charge_id, ...key, request_id: charge_id, operation: 'search', credits: 1 };
}

/** The figures count only when commits were durable and every charge that was answered is in the ledger, once. */
async function verify(dataSource: DataSource, hasRun: boolean): Promise<void> {
  const [found] = await dataSource.query<{ fsync: string; synchronous_commit: string; taken: number }[]>(`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS synchronous_commit,
      (SELECT sum(credits::bigint - remaining) FROM lots)::float8 AS taken`);
  if (!hasRun || found?.fsync !== 'on' || found.synchronous_commit !== 'on' || found.taken !== charged) {
    throw new Error(`the run does not count: ${charged} charged, found ${JSON.stringify(found)}`);
  }
}

function numbersIn(list: string): number[] {
  return list.split(',').map(Number);
}

await main();
