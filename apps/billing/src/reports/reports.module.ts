import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';
import { AuditsRepository } from './audit/audits.repository.js';
import { LedgerAudit } from './audit/ledger-audit.js';
import { LedgerGauges } from './ledger-gauges.js';
import { BalanceController } from './balance.controller.js';
import { CallsController } from './calls/calls.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { ReportsPoolModule } from './common/reports-pool.module.js';
import { StatementsController } from './statements/statements.controller.js';
import { UsageController } from './usage/usage.controller.js';

/** What accounts and operators can read about the ledger: balance, calls, statement, usage and the audit. */
@Module({
  imports: [AccountsModule, LedgerModule, ReportsPoolModule],
  controllers: [AuditController, BalanceController, CallsController, StatementsController, UsageController],
  providers: [AuditRepository, AuditService, AuditsRepository, LedgerAudit, LedgerGauges],
})
export class ReportsModule {}
