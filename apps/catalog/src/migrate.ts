import { loadConfig, runMigrations, urlWith } from '@app/platform';
import { searchEngineConfig } from './config/catalog-config.js';
import { catalogMigrationOptions } from './database/data-source.js';
import { readingFrom } from './database/query.js';
import { applySqlSearchIndexes } from './search/sql-search-indexes.js';

const specs = {
  ...searchEngineConfig,
  CATALOG_DATABASE_URL: urlWith('postgres:', 'postgresql:')({ desc: 'database of the creators' }),
};

const { CATALOG_DATABASE_URL: url, SEARCH_ENGINE: engine } = loadConfig(specs, process.env);
await runMigrations('catalog', catalogMigrationOptions(url), (dataSource) =>
  applySqlSearchIndexes(readingFrom(dataSource), engine === 'sql'),
);
