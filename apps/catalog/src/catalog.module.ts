import { type Logger, PlatformModule } from '#platform';
import { DatabaseModule } from '#platform/database';
import { TransportModule } from '#transport';
import { type DynamicModule, Module } from '@nestjs/common';
import { type DataSourceOptions } from 'typeorm';
import { AdministrationModule } from './administration/administration.module.js';
import { type CatalogConfig } from './catalog-config.js';
import { catalogDataSourceOptions } from './database/data-source.js';
import { entities } from './entities.js';
import { ImportModule } from './import/import.module.js';
import { CreatorsModule } from './creators/creators.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { RemovalsModule } from './removals/removals.module.js';
import { SearchModule } from './search/search.module.js';
import { COMPILED } from './worker-thread.js';

function databaseOptions(config: CatalogConfig): DataSourceOptions {
  return catalogDataSourceOptions({
    url: config.CATALOG_DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    entities,
  });
}

/** Creators: import, search and profiles. `compiled` is the URL of this file when compiled: a thread runs no sources. */
@Module({})
export class CatalogModule {
  static forRoot(config: CatalogConfig, logger: Logger, compiled: string = import.meta.url): DynamicModule {
    return {
      module: CatalogModule,
      global: true,
      providers: [{ provide: COMPILED, useValue: compiled }],
      exports: [COMPILED],
      imports: [
        PlatformModule.forRoot(config, logger),
        TransportModule.forRoot({ service: 'catalog' }),
        DatabaseModule.forRootAsync({ useFactory: databaseOptions }),
        SearchModule,
        CreatorsModule,
        ProfilesModule,
        ImportModule,
        RemovalsModule,
        AdministrationModule,
      ],
    };
  }
}
