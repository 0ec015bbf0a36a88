import { type DataSource } from 'typeorm';
import { patiently } from '../lifecycle/patiently.js';
import { type Logger } from '../logging/logger.js';
import { checkDatabase } from './postgres.js';

const connectPatienceMs = 60_000;
/** A migration job may have to build an index of a large table first. */
const migrationPatienceMs = 3_600_000;

/** Opens the pool; waits for a database that is merely late, and raises its last error after a minute. */
export async function connectDatabase(dataSource: DataSource, logger: Logger): Promise<void> {
  await patiently({ what: 'PostgreSQL', logger, patienceMs: connectPatienceMs }, () =>
    dataSource.initialize(),
  );
}

/** Resolves once every migration that this code knows has been applied; raises after an hour without. */
export async function waitForMigrations(dataSource: DataSource, logger: Logger): Promise<void> {
  await patiently({ what: 'the migrations', logger, patienceMs: migrationPatienceMs }, async () => {
    const problem = await checkDatabase(dataSource);
    if (problem !== null) throw new Error(problem);
  });
}
