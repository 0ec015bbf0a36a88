import { type DataSource } from 'typeorm';
import { withRetries } from '../lifecycle/with-retries.js';
import { type Logger } from '../logging/logger.js';
import { checkDatabase } from './check-database.js';

const connectPatienceMs = 60_000;
/** A migration job may have to build an index of a large table first. */
const migrationPatienceMs = 3_600_000;

/** Opens the pool. Waits up to a minute for a database that is not up yet, then throws `StartError`. */
export async function connectDatabase(dataSource: DataSource, logger: Logger): Promise<void> {
  await withRetries({ what: placeOf(dataSource), logger, patienceMs: connectPatienceMs }, () =>
    dataSource.initialize(),
  );
}

/** Resolves once all known migrations have been applied; throws after an hour. */
export async function waitForMigrations(dataSource: DataSource, logger: Logger): Promise<void> {
  await withRetries({ what: 'the migrations', logger, patienceMs: migrationPatienceMs }, async () => {
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
