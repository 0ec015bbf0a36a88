import { loadConfig, runMigrations, urlWith } from '@app/platform';
import { catalogMigrationOptions } from './database/data-source.js';

const specs = {
  CATALOG_DATABASE_URL: urlWith('postgres:', 'postgresql:')({ desc: 'database of the creators' }),
};

const { CATALOG_DATABASE_URL: url } = loadConfig(specs, process.env);
await runMigrations('catalog', catalogMigrationOptions(url));
