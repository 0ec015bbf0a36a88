import {
  type LedgerEntryView,
  listLedger,
  ListLedgerRequest,
  listStatement,
  ListStatementRequest,
  type Page,
  type StatementEntry,
} from '@app/contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../../database/reports-limit.interceptor.js';
import { StatementsService } from './statements.service.js';

@Controller()
@UseInterceptors(ReportsLimit)
export class StatementsController {
  constructor(private readonly statements: StatementsService) {}

  @MessagePattern(listLedger.pattern)
  list(@Payload() request: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    return this.statements.list(request);
  }

  @MessagePattern(listStatement.pattern)
  listWithBalances(@Payload() request: ListStatementRequest): Promise<Page<StatementEntry>> {
    return this.statements.listWithBalances(request);
  }
}
