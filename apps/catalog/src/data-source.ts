import { AdminLogRow, postgresOptions, unboundedSession } from '#platform/database';
import { type DataSourceOptions } from 'typeorm';
import {
  AccountCount,
  CatalogStateEntity,
  CreatorAccount,
  CreatorAlias,
  CreatorDeletion,
  CreatorEntity,
} from './creators/creator.entity.js';
import { Import, ImportChange, ImportChunk, ImportClaim } from './import/import.entity.js';
import { RemovalEntity, RemovalKeyEntity } from './removals/removal.entity.js';
import { catalogConnection } from './database/connections.js';
import { migrations } from './database/migrations/index.js';

/** The entity of each table. */
export const entities = [
  AccountCount,
  AdminLogRow,
  CatalogStateEntity,
  CreatorAccount,
  CreatorAlias,
  CreatorDeletion,
  CreatorEntity,
  Import,
  ImportChange,
  ImportChunk,
  ImportClaim,
  RemovalEntity,
  RemovalKeyEntity,
];

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
