import {
  commonConfig,
  databaseConfig,
  internalPort,
  loadConfig,
  migrationConfig,
  urlsWith,
  urlWith,
  type Environment,
} from '@app/platform';
import { str } from 'envalid';

const postgresUrl = urlWith('postgres:', 'postgresql:');

const catalogDatabase = { CATALOG_DATABASE_URL: postgresUrl({ desc: 'database of the creators' }) };

/** Read by the service and by its migration job, which makes the indexes of the SQL engine. */
const searchEngineConfig = {
  SEARCH_ENGINE: str({
    choices: ['bitmap', 'sql'],
    default: 'bitmap',
    desc: '`bitmap`: an index in memory, about 0.4 GB for a million creators; `sql`: PostgreSQL, for a catalog larger than memory',
  }),
};

/** Everything that can be set on the migration job. */
export const catalogMigrationSpecs = { ...catalogDatabase, ...searchEngineConfig, ...migrationConfig };

/** Everything that can be set on the catalog. */
export const catalogSpecs = {
  ...commonConfig,
  INTERNAL_PORT: internalPort(9_001),
  ...databaseConfig,
  ...catalogDatabase,
  CATALOG_DIRECT_URL: postgresUrl({
    default: '',
    desc: 'the same database past a pooler, which lets no announcement through: for hearing of news at once and for reading the whole index; empty: CATALOG_DATABASE_URL',
  }),
  CATALOG_REPLICA_URLS: urlsWith(
    'postgres:',
    'postgresql:',
  )({
    default: [],
    desc: 'read replicas of the database, separated by commas, for profiles and for SEARCH_ENGINE=sql; while none answers, the database itself is asked',
  }),
  SITE_URL: urlWith(
    'http:',
    'https:',
  )({
    default: 'http://localhost:3000',
    desc: "site on which people see a creator's profile: SITE_URL/creators/{slug}",
  }),
  ...searchEngineConfig,
  INDEX_DIRECTORY: str({
    default: '',
    desc: 'directory of this replica alone, in which the index is kept for a quick start; empty: it is rebuilt at every start',
  }),
};

/** Throws `ConfigError` with every problem at once. */
export function readCatalogConfig(environment: Environment) {
  return loadConfig(catalogSpecs, environment);
}

export type CatalogConfig = ReturnType<typeof readCatalogConfig>;
