import { Module } from '@nestjs/common';
import { CreatorProfiles } from './creator-profiles.js';
import { CreatorSearch } from './creator-search.js';

/** What the paid operations ask the catalog, with the price of the answer. */
@Module({
  providers: [CreatorProfiles, CreatorSearch],
  exports: [CreatorProfiles, CreatorSearch],
})
export class CreatorsModule {}
