import {
  commonConfig,
  databaseConfig,
  integer,
  internalPort,
  loadConfig,
  urlWith,
  type Environment,
} from '#platform';
import { migrationConfig } from '#platform/database';
import { str } from 'envalid';

const postgresUrl = urlWith('postgres:', 'postgresql:');

const catalogDatabase = { CATALOG_DATABASE_URL: postgresUrl({ desc: 'database of the creators' }) };

/** Read by the service and by its migration job, which creates the indexes of the SQL engine. */
const searchEngineConfig = {
  SEARCH_ENGINE: str({
    choices: ['bitmap', 'sql'],
    default: 'bitmap',
    desc: '`bitmap`: an index in memory, about 0.4 GB for a million creators; `sql`: PostgreSQL, for a catalog larger than memory',
  }),
};

/** All configuration variables of the migration job. */
export const catalogMigrationSpecs = { ...catalogDatabase, ...searchEngineConfig, ...migrationConfig };

/** All configuration variables of the catalog. */
export const catalogSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_001),
  ...databaseConfig,
  ...catalogDatabase,
  CATALOG_DIRECT_URL: postgresUrl({
    default: '',
    desc: 'direct URL of the same database, without a pooler: for reading the whole index in one long transaction; empty: CATALOG_DATABASE_URL',
  }),
  SITE_URL: urlWith(
    'http:',
    'https:',
  )({
    default: 'http://localhost:3000',
    desc: "site on which people see a creator's profile: SITE_URL/creators/{slug}",
  }),
  ...searchEngineConfig,
  INDEX_MEMORY_MB: integer({ min: 0, max: 1_000_000 })({
    default: 0,
    desc: 'memory that the index may take, MB: about 320 for a million creators, and a quarter more for those being replaced; 0: what the container or service may use (cgroup), else that of the machine, less 450 MB for the rest of the process',
  }),
};

/** Throws one `ConfigError` with all problems. */
export function readCatalogConfig(environment: Environment) {
  return loadConfig(catalogSpecs, environment);
}

export type CatalogConfig = ReturnType<typeof readCatalogConfig>;
