import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';
import { AuditsRepository } from './audit/audits.repository.js';
import { LedgerAudit } from './audit/ledger-audit.js';
import { LedgerGauges } from './ledger-gauges.js';
import { BalanceController } from './balance.controller.js';
import { CallsService } from './calls/calls.service.js';
import { ReportsController } from './reports.controller.js';
import { ReportsPoolModule } from './common/reports-pool.module.js';
import { StatementsService } from './statements/statements.service.js';
import { UsageService } from './usage/usage.service.js';

/** What accounts and operators can read about the ledger: balance, calls, statement, usage and the audit. */
@Module({
  imports: [AccountsModule, LedgerModule, ReportsPoolModule],
  controllers: [BalanceController, ReportsController],
  providers: [
    AuditRepository,
    AuditService,
    AuditsRepository,
    CallsService,
    LedgerAudit,
    LedgerGauges,
    StatementsService,
    UsageService,
  ],
})
export class ReportsModule {}
