import { auditLedger, type AuditReply } from '@app/contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { ReportsLimit } from '../../database/reports-limit.interceptor.js';
import { AuditService } from './audit.service.js';

/** Runs the audit for operators. */
@Controller()
@UseInterceptors(ReportsLimit)
export class AuditController {
  constructor(private readonly audits: AuditService) {}

  @MessagePattern(auditLedger.pattern)
  audit(): Promise<AuditReply> {
    return this.audits.audit();
  }
}
