import { Module } from '@nestjs/common';
import { CreatorsModule } from '../creators/creators.module.js';
import { SearchModule } from '../search/search.module.js';
import { CreatorsController } from './creators.controller.js';
import { CreatorsService } from './creators.service.js';
import { ProfilesService } from './profiles.service.js';

/** One creator at a time: profiles, and an operator's changes. */
@Module({
  imports: [CreatorsModule, SearchModule],
  controllers: [CreatorsController],
  providers: [CreatorsService, ProfilesService],
})
export class ProfilesModule {}
