import { AdminLogRepository } from '#platform/database';
import { Module } from '@nestjs/common';
import { AdminTokensService } from './admin-tokens.service.js';
import { AdministrationController } from './administration.controller.js';

/** Who may use the admin API, and what operators changed in billing. */
@Module({
  controllers: [AdministrationController],
  providers: [AdminLogRepository, AdminTokensService],
  exports: [AdminLogRepository],
})
export class AdministrationModule {}
