import { AdminLogRepository } from '#platform/database';
import { Module } from '@nestjs/common';
import { AdministrationController } from './administration.controller.js';

/** Who may use the admin API, and what operators changed in billing. */
@Module({
  controllers: [AdministrationController],
  providers: [AdminLogRepository],
  exports: [AdminLogRepository],
})
export class AdministrationModule {}
