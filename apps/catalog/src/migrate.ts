import { loadConfig } from '#platform';
import { autocommitQuery, runMigrationJob } from '#platform/database';
import { catalogMigrationSpecs } from './catalog-config.js';
import { catalogMigrationOptions } from './data-source.js';
import { checkEngine, isDistributed } from './database/distribution.js';
import { grants } from './database/grants.js';
import { applySqlSearchIndexes } from './search/sql-indexes.js';

runMigrationJob('catalog', () => {
  const config = loadConfig(catalogMigrationSpecs, process.env);
  const engine = config.SEARCH_ENGINE;
  return {
    options: catalogMigrationOptions(config.CATALOG_DATABASE_URL),
    afterwards: async (dataSource) => {
      const query = autocommitQuery(dataSource);
      checkEngine(engine, await isDistributed(query));
      return applySqlSearchIndexes(query, engine === 'sql');
    },
    grants,
    runtimeRole: config.RUNTIME_ROLE,
  };
});
