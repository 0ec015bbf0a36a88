import { type CallRecord, listCalls, ListCallsRequest, type Page } from '@app/contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../../database/reports-limit.interceptor.js';
import { CallsService } from './calls.service.js';

@Controller()
@UseInterceptors(ReportsLimit)
export class CallsController {
  constructor(private readonly calls: CallsService) {}

  @MessagePattern(listCalls.pattern)
  list(@Payload() request: ListCallsRequest): Promise<Page<CallRecord>> {
    return this.calls.list(request);
  }
}
