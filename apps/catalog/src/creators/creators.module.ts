import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { type CatalogConfig } from '../catalog-config.js';
import { CatalogStateRepository, CreatorsRepository } from './creators.repository.js';
import { CreatorJson } from './creator-json.js';
import { CreatorsController } from './creators.controller.js';
import { CreatorsService, PublishingLimit } from './creators.service.js';
import { DataAge } from './data-age.js';
import { BlockList } from './block-list.js';
import { Refolding, RefoldingTask } from './refolding.js';

/** Stored creators: an operator's changes to one creator, and what profiles and imports need. */
@Module({
  controllers: [CreatorsController],
  providers: [
    BlockList,
    CatalogStateRepository,
    CreatorsRepository,
    CreatorsService,
    DataAge,
    PublishingLimit,
    Refolding,
    RefoldingTask,
    {
      provide: CreatorJson,
      inject: [CONFIG],
      useFactory: ({ SITE_URL }: CatalogConfig) => new CreatorJson(SITE_URL),
    },
  ],
  exports: [BlockList, CatalogStateRepository, CreatorJson, CreatorsRepository, PublishingLimit],
})
export class CreatorsModule {}
