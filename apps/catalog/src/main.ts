import { runService } from '#platform';
import { startMicroservice } from '#transport';
import { CatalogModule } from './catalog.module.js';
import { readCatalogConfig } from './catalog-config.js';

runService(process.env, {
  name: 'catalog',
  readConfig: readCatalogConfig,
  start: (config, logger) => startMicroservice(CatalogModule.forRoot(config, logger), logger),
});
