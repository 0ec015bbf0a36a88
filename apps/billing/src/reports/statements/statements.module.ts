import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ReportsModule } from '../../database/reports.module.js';
import { StatementsController } from './statements.controller.js';
import { StatementsRepository } from './statements.repository.js';
import { StatementsService } from './statements.service.js';

/** The entries of an account, newest first. */
@Module({
  imports: [AccountsModule, ReportsModule],
  controllers: [StatementsController],
  providers: [StatementsRepository, StatementsService],
})
export class StatementsModule {}
