import { AdminLogRow, postgresOptions, unboundedSession } from '#platform/database';
import { type DataSourceOptions } from 'typeorm';
import { CreatorEntity } from './creators/creator.entity.js';
import { Import, ImportChange, ImportChunk } from './import/import.entity.js';
import { RemovalEntity } from './removals/removal.entity.js';
import { catalogConnection } from './database/connections.js';
import { migrations } from './database/migrations/index.js';

/** Of the tables that TypeORM reads or writes: the other ones are used by SQL only. */
export const entities = [AdminLogRow, CreatorEntity, Import, ImportChange, ImportChunk, RemovalEntity];

/** A pool of these connections for TypeORM. */
export function catalogDataSourceOptions(url: string, poolSize: number): DataSourceOptions {
  return postgresOptions({ ...catalogConnection(url), poolSize, entities, migrations });
}

/** The catalog database as the migration job opens it: without a time limit, because building an index may take long. */
export function catalogMigrationOptions(url: string): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 2,
    migrations,
    applicationName: 'catalog-migration',
    sessionSettings: unboundedSession,
  });
}
