import { type Logger, PlatformModule } from '#platform';
import { type AdminLogEntry, ListAdminLogRequest, listCatalogLog } from '#contracts';
import { AdminLogRepository, DatabaseModule, TransactionRunner } from '#platform/database';
import { TransportModule } from '#transport';
import { Controller, type DynamicModule, Module } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { type CatalogConfig } from './catalog-config.js';
import { catalogDataSourceOptions } from './data-source.js';
import { DuplicatesModule } from './duplicates/duplicates.module.js';
import { ImportModule } from './import/import.module.js';
import { ProfilesModule } from './profiles/profiles.module.js';
import { RemovalsModule } from './removals/removals.module.js';
import { SearchModule } from './search/search.module.js';
import { COMPILED } from './worker-thread.js';

/** What operators changed in the catalog. */
@Controller()
class AdminLogController {
  constructor(
    private readonly database: TransactionRunner,
    private readonly log: AdminLogRepository,
  ) {}

  @MessagePattern(listCatalogLog.pattern)
  async entries(@Payload() request: ListAdminLogRequest): Promise<{ entries: AdminLogEntry[] }> {
    return { entries: await this.log.page(this.database, request) };
  }
}

/** Creators: import, search and profiles. */
@Module({})
export class CatalogModule {
  static forRoot(config: CatalogConfig, logger: Logger): DynamicModule {
    return {
      module: CatalogModule,
      global: true,
      controllers: [AdminLogController],
      providers: [{ provide: COMPILED, useValue: import.meta.url }, AdminLogRepository],
      exports: [COMPILED, AdminLogRepository],
      imports: [
        PlatformModule.forRoot(config, logger),
        TransportModule.forRoot({ service: 'catalog' }),
        DatabaseModule.forRootAsync({
          useFactory: ({ CATALOG_DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize }: CatalogConfig) =>
            catalogDataSourceOptions(url, poolSize),
        }),
        SearchModule,
        ProfilesModule,
        ImportModule,
        DuplicatesModule,
        RemovalsModule,
      ],
    };
  }
}
