import {
  auditLedger,
  AuditPath,
  type AuditReply,
  type AuditSummary,
  type AuditView,
  type CallRecord,
  cancelAudit,
  getAudit,
  getUsage,
  type LedgerEntryView,
  listAudits,
  listCalls,
  ListCallsRequest,
  listLedger,
  ListLedgerRequest,
  listStatement,
  ListStatementRequest,
  type Page,
  startAudit,
  type StatementEntry,
  type Usage,
  UsageRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AuditService } from './audit/audit.service.js';
import { FullAuditsService } from './audit/full-audits.service.js';
import { CallsService } from './calls/calls.service.js';
import { ReportsLimit } from './common/reports-limit.interceptor.js';
import { StatementsService } from './statements/statements.service.js';
import { UsageService } from './usage/usage.service.js';

/** Reports on the connections reserved for them, few at once. */
@Controller()
@UseInterceptors(ReportsLimit)
export class ReportsController {
  constructor(
    private readonly audits: AuditService,
    private readonly fullAudits: FullAuditsService,
    private readonly calls: CallsService,
    private readonly statements: StatementsService,
    private readonly usage: UsageService,
  ) {}

  @MessagePattern(auditLedger.pattern)
  audit(): Promise<AuditReply> {
    return this.audits.audit();
  }

  @MessagePattern(startAudit.pattern)
  startAudit(@Ctx() context: MessageContext): Promise<AuditView> {
    return this.fullAudits.start(context);
  }

  @MessagePattern(listAudits.pattern)
  listAudits(): Promise<AuditSummary[]> {
    return this.fullAudits.list();
  }

  @MessagePattern(getAudit.pattern)
  showAudit(@Payload() request: AuditPath): Promise<AuditView> {
    return this.fullAudits.show(request);
  }

  @MessagePattern(cancelAudit.pattern)
  cancelAudit(@Payload() request: AuditPath, @Ctx() context: MessageContext): Promise<AuditView> {
    return this.fullAudits.cancel(request, context);
  }

  @MessagePattern(listCalls.pattern)
  listCalls(@Payload() request: ListCallsRequest): Promise<Page<CallRecord>> {
    return this.calls.list(request);
  }

  @MessagePattern(listLedger.pattern)
  listLedger(@Payload() request: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    return this.statements.list(request);
  }

  @MessagePattern(listStatement.pattern)
  listStatement(@Payload() request: ListStatementRequest): Promise<Page<StatementEntry>> {
    return this.statements.listWithBalances(request);
  }

  @MessagePattern(getUsage.pattern)
  showUsage(@Payload() request: UsageRequest): Promise<Usage> {
    return this.usage.usage(request);
  }
}
