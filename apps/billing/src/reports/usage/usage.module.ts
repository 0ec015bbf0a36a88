import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ReportsModule } from '../../database/reports.module.js';
import { OldFreeCallsStep } from './old-free-calls.step.js';
import { UsageController } from './usage.controller.js';
import { UsageRepository } from './usage.repository.js';
import { UsageService } from './usage.service.js';

/** Calls and credits by day, key and operation, and the sweep's step that counts old free calls. */
@Module({
  imports: [AccountsModule, ReportsModule],
  controllers: [UsageController],
  providers: [OldFreeCallsStep, UsageRepository, UsageService],
  exports: [OldFreeCallsStep],
})
export class UsageModule {}
