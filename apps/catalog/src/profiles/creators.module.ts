import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { type CatalogConfig } from '../config/catalog-config.js';
import { CreatorsStoreModule } from '../creators/creators-store.module.js';
import { CreatorJson } from '../creators/creator-json.js';
import { CreatorsController } from './creators.controller.js';
import { CreatorsService } from './creators.service.js';

/** One creator at a time: the profile of the public API and the operator's changes. */
@Module({
  imports: [CreatorsStoreModule],
  controllers: [CreatorsController],
  providers: [
    {
      provide: CreatorJson,
      inject: [CONFIG],
      useFactory: ({ SITE_URL }: CatalogConfig) => new CreatorJson(SITE_URL),
    },
    CreatorsService,
  ],
})
export class CreatorsModule {}
