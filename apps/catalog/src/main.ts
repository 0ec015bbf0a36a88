import { runService } from '#platform';
import { startMicroservice } from '#transport';
import { CatalogModule } from './catalog.module.js';
import { readCatalogConfig } from './catalog-config.js';
import { lowerV8ThreadPriority } from './threads/lower-thread-priority.js';

lowerV8ThreadPriority();

runService(process.env, {
  name: 'catalog',
  readConfig: readCatalogConfig,
  start: (config, logger) => startMicroservice(CatalogModule.forRoot(config, logger), logger),
});
