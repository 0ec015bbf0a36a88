import { loadConfig } from '@app/platform';
import { autocommitQuery, type Query, runMigrationJob, runMigrations } from '@app/platform/database';
import { catalogMigrationSpecs } from './config/catalog-config.js';
import { catalogMigrationOptions } from './database/data-source.js';
import { grants } from './database/grants.js';
import { fillAccountKeys } from './search/sql/account-keys.js';
import { applySqlSearchIndexes } from './search/sql/search-indexes.js';

/** What the SQL engine needs besides the tables; its indexes are removed where the other engine is chosen. */
async function prepareSearch(query: Query, isSql: boolean): Promise<string[]> {
  const filled = isSql ? await fillAccountKeys(query) : [];
  return [...filled, ...(await applySqlSearchIndexes(query, isSql))];
}

runMigrationJob('catalog', async () => {
  const {
    CATALOG_DATABASE_URL: url,
    RUNTIME_ROLE: runtimeRole,
    SEARCH_ENGINE: engine,
  } = loadConfig(catalogMigrationSpecs, process.env);
  await runMigrations({
    service: 'catalog',
    options: catalogMigrationOptions(url),
    afterwards: (dataSource) => prepareSearch(autocommitQuery(dataSource), engine === 'sql'),
    grants,
    runtimeRole,
  });
});
