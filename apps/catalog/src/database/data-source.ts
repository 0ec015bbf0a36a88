import { postgresOptions, unboundedSession } from '#platform/database';
import { type DataSourceOptions } from 'typeorm';
import { catalogConnection } from './connections.js';
import { migrations } from './migrations/index.js';

interface CatalogDatabase {
  readonly url: string;
  readonly poolSize: number;
  /** Default: none, for callers that only send SQL. */
  readonly entities?: NonNullable<DataSourceOptions['entities']>;
}

/** A pool of these connections for TypeORM. */
export function catalogDataSourceOptions({
  url,
  poolSize,
  entities = [],
}: CatalogDatabase): DataSourceOptions {
  return postgresOptions({
    ...catalogConnection(url),
    poolSize,
    entities,
    migrations,
  });
}

/** The catalog database as the migration job opens it: without a time limit, because building an index may take long. */
export function catalogMigrationOptions(url: string): DataSourceOptions {
  return postgresOptions({
    url,
    poolSize: 2,
    entities: [],
    migrations,
    applicationName: 'catalog-migration',
    sessionSettings: unboundedSession,
  });
}
