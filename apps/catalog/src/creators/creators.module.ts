import { Module } from '@nestjs/common';
import { CreatorsRepository } from './creators.repository.js';
import { CreatorWriter } from './creator-writer.js';
import { CreatorJson } from './creator-json.js';
import { DataAge } from './data-age.js';
import { Refolding } from './refolding.js';

/** Stored creators: what everything else in the catalog reads and writes. */
@Module({
  providers: [CreatorJson, CreatorsRepository, CreatorWriter, DataAge, Refolding],
  exports: [CreatorJson, CreatorsRepository, CreatorWriter],
})
export class CreatorsModule {}
