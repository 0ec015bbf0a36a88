import { setTimeout as delay } from 'node:timers/promises';
import { str } from 'envalid';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { runToEnd } from '../lifecycle/run-service.js';
import { StartError } from '../errors.js';
import { createLogger } from '../logger.js';
import { connectDatabase, refuseOtherDatabase } from './check-database.js';
import { type Grants, grantExactly } from './grants.js';

/** Variables of every migration job, in addition to its database URL. */
export const migrationConfig = {
  RUNTIME_ROLE: str({
    default: '',
    desc: "role of the running service, which is granted only the privileges it needs; empty: the service runs as the tables' owner",
  }),
};

interface MigrationJob {
  readonly options: DataSourceOptions;
  /** Runs after the migrations; returns the names of what it did. */
  readonly afterwards?: (dataSource: DataSource) => Promise<string[]>;
  /** Granted to `runtimeRole`, unless that is empty. */
  readonly grants: Grants;
  readonly runtimeRole: string;
}

/**
 * The program of a migration job, which `configure` reads from the environment. With any argument, such as `--help`, it only prints what
 * the job does. A failure is explained on standard error, exit 1.
 */
export function runMigrationJob(service: string, configure: () => MigrationJob): void {
  runToEnd(async () => {
    if (process.argv.length === 2) return runMigrations(service, configure());
    const database = `the database of ${service.toUpperCase()}_DATABASE_URL`;
    throw new StartError(`Applies the migrations of ${service} to ${database}. It takes no arguments.`);
  });
}

/** Applies the pending migrations and prints their names. */
async function runMigrations(service: string, job: MigrationJob): Promise<void> {
  const dataSource = new DataSource(job.options);
  await connectDatabase(dataSource, createLogger({ service, level: 'warn', pretty: false }));
  try {
    await refuseOtherDatabase(dataSource);
    const applied = await migrate(dataSource, () => finish(dataSource, job));
    const names = applied.length === 0 ? 'nothing to do' : applied.join(', ');
    process.stdout.write(`${service}: ${names}\n`);
  } finally {
    await dataSource.destroy();
  }
}

async function finish(
  dataSource: DataSource,
  { afterwards, runtimeRole, grants }: MigrationJob,
): Promise<string[]> {
  const done = (await afterwards?.(dataSource)) ?? [];
  if (runtimeRole === '') return done;
  await grantExactly(dataSource, runtimeRole, grants);
  return [...done, `grants to ${runtimeRole}`];
}

const migrationLock = 4_711_001;
const lockPollMs = 100;

/**
 * Applies the pending migrations and then `afterwards`, one replica at a time, and returns the names of both. The lock is polled: a
 * session that waits for it inside a SELECT would hold a snapshot, for which CREATE INDEX CONCURRENTLY would wait forever.
 */
export async function migrate(
  dataSource: DataSource,
  afterwards: () => Promise<string[]> = () => Promise.resolve([]),
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  await runner.connect();
  try {
    while (!(await tryLock(runner))) await delay(lockPollMs);
    try {
      const applied = await dataSource.runMigrations({ transaction: 'each' });
      return [...applied.map((migration) => migration.name), ...(await afterwards())];
    } finally {
      await runner.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    }
  } finally {
    await runner.release();
  }
}

async function tryLock(runner: QueryRunner): Promise<boolean> {
  const sql = 'SELECT pg_try_advisory_lock($1) AS locked';
  const [row] = (await runner.query(sql, [migrationLock])) as { locked: boolean }[];
  return row?.locked === true;
}
