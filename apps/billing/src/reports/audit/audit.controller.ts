import { auditLedger, type AuditReply } from '#contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { ReportsLimit } from '../common/reports-limit.interceptor.js';
import { AuditService } from './audit.service.js';

/** Audits that operators ask for. */
@Controller()
@UseInterceptors(ReportsLimit)
export class AuditController {
  constructor(private readonly audits: AuditService) {}

  @MessagePattern(auditLedger.pattern)
  audit(): Promise<AuditReply> {
    return this.audits.audit();
  }
}
