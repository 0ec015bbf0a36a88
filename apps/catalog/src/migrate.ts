import { loadConfig } from '#platform';
import { autocommitQuery, runMigrationJob, runMigrations } from '#platform/database';
import { catalogMigrationSpecs } from './catalog-config.js';
import { catalogMigrationOptions } from './data-source.js';
import { checkEngine, isDistributed } from './database/distribution.js';
import { grants } from './database/grants.js';
import { applySqlSearchIndexes } from './search/sql-indexes.js';

runMigrationJob('catalog', async () => {
  const {
    CATALOG_DATABASE_URL: url,
    RUNTIME_ROLE: runtimeRole,
    SEARCH_ENGINE: engine,
  } = loadConfig(catalogMigrationSpecs, process.env);
  await runMigrations({
    service: 'catalog',
    options: catalogMigrationOptions(url),
    afterwards: async (dataSource) => {
      const query = autocommitQuery(dataSource);
      checkEngine(engine, await isDistributed(query));
      return applySqlSearchIndexes(query, engine === 'sql');
    },
    grants,
    runtimeRole,
  });
});
