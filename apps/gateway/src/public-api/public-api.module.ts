import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { NextPageLinks } from '../http/answers/next-page-links.js';
import { GetBalanceController } from '../routes/get-balance/get-balance.controller.js';
import { GetCreatorProfileController } from '../routes/get-creator-profile/get-creator-profile.controller.js';
import { ProfileTags } from '../routes/get-creator-profile/profile-tags.js';
import { GetUsageController } from '../routes/get-usage/get-usage.controller.js';
import { ListCallsController } from '../routes/list-calls/list-calls.controller.js';
import { ListFiltersController } from '../routes/list-filters/list-filters.controller.js';
import { LookUpAccountsController } from '../routes/look-up-accounts/look-up-accounts.controller.js';
import { SearchCreatorsController } from '../routes/search-creators/search-creators.controller.js';

/** The operations of the public API v1. */
@Module({
  imports: [AuthenticationModule, ChargingModule, CreatorsModule, RateLimitModule, ReportsModule],
  controllers: [
    SearchCreatorsController,
    GetCreatorProfileController,
    GetBalanceController,
    GetUsageController,
    LookUpAccountsController,
    ListFiltersController,
    ListCallsController,
  ],
  providers: [NextPageLinks, ProfileTags],
})
export class PublicApiModule {}
