import { getUsage, type Usage, UsageRequest } from '@app/contracts';
import { Controller, UseInterceptors } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../../database/reports-limit.interceptor.js';
import { UsageService } from './usage.service.js';

@Controller()
@UseInterceptors(ReportsLimit)
export class UsageController {
  constructor(private readonly usage: UsageService) {}

  @MessagePattern(getUsage.pattern)
  show(@Payload() request: UsageRequest): Promise<Usage> {
    return this.usage.usage(request);
  }
}
