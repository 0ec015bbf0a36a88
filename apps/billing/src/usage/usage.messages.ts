import { getUsage, type UsageReply, type UsageRequest } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { UsageService } from './usage.service.js';

@Controller()
export class UsageMessages {
  constructor(private readonly usage: UsageService) {}

  @MessagePattern(getUsage.pattern)
  show(@Payload() request: UsageRequest): Promise<UsageReply> {
    return this.usage.usage(request);
  }
}
