import { Module } from '@nestjs/common';
import { ReportsModule } from '../../database/reports.module.js';
import { CallsController } from './calls.controller.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

/** The calls of an account, newest first: what each cost and why. */
@Module({
  imports: [ReportsModule],
  controllers: [CallsController],
  providers: [CallsRepository, CallsService],
})
export class CallsModule {}
