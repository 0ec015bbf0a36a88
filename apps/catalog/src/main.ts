import { runService } from '@app/platform';
import { startCatalog } from './catalog.js';
import { readCatalogConfig } from './config/catalog-config.js';

runService(() => Promise.resolve(process.env).then(readCatalogConfig).then(startCatalog));
