import { Module } from '@nestjs/common';
import { SiteModule } from '../account-pages/site.module.js';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { PreparedAnswers } from '../answers/prepared-answers.js';
import { ReferenceFiles } from './reference-files.js';
import { ReferenceController } from './reference.controller.js';

/** The OpenAPI document of the public API and a page to read it, at the root of the public port. */
@Module({
  imports: [RateLimitModule, SiteModule],
  controllers: [ReferenceController],
  providers: [PreparedAnswers, ReferenceFiles],
})
export class ReferenceModule {}
