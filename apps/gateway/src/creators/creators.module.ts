import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { CreatorProfiles } from './creator-profiles.js';
import { CreatorSearch } from './creator-search.js';
import { SearchCursors } from './search-cursors.js';
import { UnpayableSearches } from './unpayable-searches.js';

/** What the paid operations ask the catalog, with the price of the answer. */
@Module({
  imports: [AuthenticationModule, RateLimitModule],
  providers: [CreatorProfiles, CreatorSearch, SearchCursors, UnpayableSearches],
  exports: [CreatorProfiles, CreatorSearch, SearchCursors],
})
export class CreatorsModule {}
