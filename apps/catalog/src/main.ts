import { runService } from '@app/platform';
import { startCatalog } from './catalog.js';
import { readCatalogConfig } from './config/catalog-config.js';

runService(process.env, { name: 'catalog', readConfig: readCatalogConfig, start: startCatalog });
