import { Module } from '@nestjs/common';
import { ReportsModule } from '../../database/reports.module.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { AuditController } from './audit.controller.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';
import { AuditShutdown } from './audit-shutdown.js';

/** The audit of the whole ledger. */
@Module({
  imports: [LedgerModule, ReportsModule],
  controllers: [AuditController],
  providers: [AuditRepository, AuditService, AuditShutdown],
})
export class AuditModule {}
