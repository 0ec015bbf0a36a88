import { Module } from '@nestjs/common';
import { ChargingModule } from '../charging/charging.module.js';
import { CreatorProfiles } from './creator-profiles.js';
import { CreatorSearch } from './creator-search.js';
import { SearchCursors } from './search-cursors.js';

/** What the paid operations ask the catalog, with the price of the answer. */
@Module({
  imports: [ChargingModule],
  providers: [CreatorProfiles, CreatorSearch, SearchCursors],
  exports: [CreatorProfiles, CreatorSearch, SearchCursors],
})
export class CreatorsModule {}
