import { Module } from '@nestjs/common';
import { AuthenticationModule } from '../authentication/authentication.module.js';
import { ChargingModule } from '../charging/charging.module.js';
import { CreatorsModule } from '../creators/creators.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { ReportsModule } from '../reports/reports.js';
import { NextPageLinks } from '../answers/next-page-links.js';
import { AccountController } from '../routes/account.controller.js';
import { GetCreatorProfileController, ProfileTags } from '../routes/get-creator-profile.controller.js';
import { ListFiltersController } from '../routes/list-filters.controller.js';
import { LookUpAccountsController } from '../routes/look-up-accounts.controller.js';
import { SearchCreatorsController } from '../routes/search-creators.controller.js';

/** The operations of the public API v1. */
@Module({
  imports: [AuthenticationModule, ChargingModule, CreatorsModule, RateLimitModule, ReportsModule],
  controllers: [
    SearchCreatorsController,
    GetCreatorProfileController,
    AccountController,
    LookUpAccountsController,
    ListFiltersController,
  ],
  providers: [NextPageLinks, ProfileTags],
})
export class PublicApiModule {}
