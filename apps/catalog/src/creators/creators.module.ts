import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { type CatalogConfig } from '../catalog-config.js';
import { CreatorsRepository } from './creators.repository.js';
import { CreatorWriter } from './creator-writer.js';
import { CreatorJson } from './creator-json.js';
import { DataAge } from './data-age.js';
import { Refolding } from './refolding.js';

/** Stored creators: what everything else in the catalog reads and writes. */
@Module({
  providers: [
    CreatorsRepository,
    CreatorWriter,
    DataAge,
    Refolding,
    {
      provide: CreatorJson,
      inject: [CONFIG],
      useFactory: ({ SITE_URL }: CatalogConfig) => new CreatorJson(SITE_URL),
    },
  ],
  exports: [CreatorJson, CreatorsRepository, CreatorWriter],
})
export class CreatorsModule {}
