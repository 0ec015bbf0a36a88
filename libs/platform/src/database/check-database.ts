import { type DataSource } from 'typeorm';
import { withRetries } from '../lifecycle/with-retries.js';
import { type Logger } from '../logger.js';
import { type HealthCheck } from '../health-checks.js';
import { StartError } from '../errors.js';
import { databaseCode, writeProblem } from './failures.js';
import { type TransactionRunner } from './transaction-runner.js';

const insufficientPrivilege = '42501';

/**
 * A readiness check: PostgreSQL answers and all known migrations have been applied. It only reads, so a probe needs no
 * privilege to create tables and can't interfere with the migration job.
 */
export async function checkDatabase(dataSource: DataSource): Promise<string | null> {
  if (!dataSource.isInitialized) return 'not connected to PostgreSQL yet';
  try {
    const applied = await appliedMigrations(dataSource);
    const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
    const isMigrated = known.every((name) => applied.includes(name));
    return isMigrated ? null : 'migrations are pending: run the migration job';
  } catch (error) {
    if (databaseCode(error) !== insufficientPrivilege) throw error;
    return 'this role may not read which migrations were applied: run the migration job with RUNTIME_ROLE';
  }
}

async function appliedMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  if (!table?.found) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  return rows.map(({ name }) => name);
}

const writesAskedEveryMs = 5_000;

/** More than fits into the least memory that a statement can be given: the rest goes to a file on the disk of the database. */
const writeSql = `
  SELECT current_setting('transaction_read_only')::boolean AS "isReadOnly",
    (SELECT count(*) FROM generate_series(1, 20000)) AS written`;

/**
 * A readiness check: PostgreSQL takes writes, and its disk has room. Needs no privilege and changes no table: it writes a temporary
 * file, which PostgreSQL deletes, at most every 5 s while all is well.
 */
export function checkWrites(database: TransactionRunner): HealthCheck {
  let wellUntil = 0;
  let asked: Promise<string | null> | undefined;
  const ask = async (): Promise<string | null> => {
    try {
      const problem = await writeOnce(database);
      if (problem === null) wellUntil = performance.now() + writesAskedEveryMs;
      return problem;
    } finally {
      asked = undefined;
    }
  };
  return () => (performance.now() < wellUntil ? Promise.resolve(null) : (asked ??= ask()));
}

async function writeOnce(database: TransactionRunner): Promise<string | null> {
  try {
    return await database.run(async ({ query }) => {
      await query('limit memory', `SET LOCAL work_mem = '64kB'`);
      const [row] = await query<{ isReadOnly: boolean }>('check writes', writeSql);
      return row?.isReadOnly ? 'read-only' : null;
    });
  } catch (error) {
    const problem = writeProblem(error);
    if (problem === null) throw error;
    return problem;
  }
}

const connectTimeoutMs = 60_000;
/** A migration job may have to build an index of a large table first. */
const migrationTimeoutMs = 3_600_000;

/** Opens the pool. Waits up to a minute for a database that is not up yet, then throws `StartError`. */
export async function connectDatabase(dataSource: DataSource, logger: Logger): Promise<void> {
  await withRetries({ what: placeOf(dataSource), logger, timeoutMs: connectTimeoutMs }, () =>
    dataSource.initialize(),
  );
}

/** A table of each service. Nothing else distinguishes the databases: migrations of both services may have the same names. */
const ownTables = `
  SELECT to_regclass('accounts') IS NOT NULL AS billing, to_regclass('creators') IS NOT NULL AS catalog`;

/** Throws `StartError` for a service or migration job that was given the database of another service. */
export async function refuseOtherDatabase(dataSource: DataSource): Promise<void> {
  const { application_name: name = '' } = dataSource.options.extra as { application_name?: string };
  const [own = ''] = name.split('-');
  const [found = {}] = await dataSource.query<Record<string, boolean>[]>(ownTables);
  const other = Object.keys(found).find((service) => service !== own && found[service]);
  if (other === undefined || !(own in found)) return;
  throw new StartError(
    `${placeOf(dataSource)} is the database of ${other}, not of ${own}: correct ${own.toUpperCase()}_DATABASE_URL.`,
  );
}

/** Resolves once all known migrations have been applied; throws after an hour. */
export async function waitForMigrations(dataSource: DataSource, logger: Logger): Promise<void> {
  await withRetries({ what: 'the migrations', logger, timeoutMs: migrationTimeoutMs }, async () => {
    const problem = await checkDatabase(dataSource);
    if (problem !== null) throw new Error(problem);
  });
}

/** `PostgreSQL (catalog on db.example:5432)`: without user and password. */
function placeOf({ options }: DataSource): string {
  if (options.type !== 'postgres') return options.type;
  const url = options.url ?? options.replication?.master.url ?? '';
  if (!URL.canParse(url)) return 'PostgreSQL';
  const { host, pathname } = new URL(url);
  return `PostgreSQL (${decodeURI(pathname.slice(1))} on ${host})`;
}
