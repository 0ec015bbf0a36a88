import { type DataSource } from 'typeorm';
import { databaseCode } from './failures.js';

const insufficientPrivilege = '42501';

/**
 * A readiness check: PostgreSQL answers and all known migrations have been applied. It only reads, so a probe needs no
 * privilege to create tables and can't interfere with the migration job.
 */
export async function checkDatabase(dataSource: DataSource): Promise<string | null> {
  if (!dataSource.isInitialized) return 'not connected to PostgreSQL yet';
  try {
    return (await isMigrated(dataSource)) ? null : 'migrations are pending: run the migration job';
  } catch (error) {
    if (databaseCode(error) !== insufficientPrivilege) throw error;
    return 'this role may not read which migrations were applied: run the migration job with RUNTIME_ROLE';
  }
}

async function isMigrated(dataSource: DataSource): Promise<boolean> {
  const known = dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS found`,
  );
  if (!table?.found) return known.length === 0;
  const applied = await dataSource.query<unknown[]>('SELECT name FROM migrations WHERE name = ANY($1)', [
    known,
  ]);
  return applied.length === known.length;
}
