import { type LedgerEntryView, listLedger, type ListLedgerRequest, type Page } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { StatementsService } from './statements.service.js';

@Controller()
export class StatementsMessages {
  constructor(private readonly statements: StatementsService) {}

  @MessagePattern(listLedger.pattern)
  list(@Payload() request: ListLedgerRequest): Promise<Page<LedgerEntryView>> {
    return this.statements.list(request);
  }
}
