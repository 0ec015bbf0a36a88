import { type DataSource } from 'typeorm';
import { withRetries } from '../lifecycle/with-retries.js';
import { type Logger } from '../logger.js';
import { databaseCode } from './failures.js';

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

const connectTimeoutMs = 60_000;
/** A migration job may have to build an index of a large table first. */
const migrationTimeoutMs = 3_600_000;

/** Opens the pool. Waits up to a minute for a database that is not up yet, then throws `StartError`. */
export async function connectDatabase(dataSource: DataSource, logger: Logger): Promise<void> {
  await withRetries({ what: placeOf(dataSource), logger, timeoutMs: connectTimeoutMs }, () =>
    dataSource.initialize(),
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
