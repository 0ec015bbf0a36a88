import { type LedgerEntryView, listLedger, ListLedgerRequest, type Page } from '@app/contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../database/reports-limit.interceptor.js';
import { StatementsService } from './statements.service.js';

@Controller()
@UseInterceptors(ReportsLimit)
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  @MessagePattern(listLedger.pattern)
  list(@Payload() request: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    return this.statements.list(request);
  }
}
