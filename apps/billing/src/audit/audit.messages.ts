import { auditLedger, type AuditReply } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern } from '@nestjs/microservices';
import { AuditService } from './audit.service.js';

/** The audit, as an operator asks for it. */
@Controller()
export class AuditMessages {
  constructor(private readonly audits: AuditService) {}

  @MessagePattern(auditLedger.pattern)
  audit(): Promise<AuditReply> {
    return this.audits.audit();
  }
}
