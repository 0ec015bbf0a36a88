import {
  auditLedger,
  type AuditReply,
  type CallRecord,
  getUsage,
  listCalls,
  ListCallsRequest,
  listStatement,
  ListStatementRequest,
  type Page,
  type StatementPage,
  type Usage,
  UsageRequest,
} from '#contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AuditService } from './audit/audit.service.js';
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
    private readonly calls: CallsService,
    private readonly statements: StatementsService,
    private readonly usage: UsageService,
  ) {}

  @MessagePattern(auditLedger.pattern)
  audit(): Promise<AuditReply> {
    return this.audits.audit();
  }

  @MessagePattern(listCalls.pattern)
  listCalls(@Payload() request: ListCallsRequest): Promise<Page<CallRecord>> {
    return this.calls.list(request);
  }

  @MessagePattern(listStatement.pattern)
  listStatement(@Payload() request: ListStatementRequest): Promise<StatementPage> {
    return this.statements.list(request);
  }

  @MessagePattern(getUsage.pattern)
  showUsage(@Payload() request: UsageRequest): Promise<Usage> {
    return this.usage.show(request);
  }
}
