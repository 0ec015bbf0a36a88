import { runService } from '@app/platform';
import { startCatalog } from './catalog.js';
import { readCatalogConfig } from './config/catalog-config.js';
import { letHelpersYield } from './threads/yield-to-others.js';

letHelpersYield();

runService(process.env, { name: 'catalog', readConfig: readCatalogConfig, start: startCatalog });
