import { adjust, type AdjustmentReply, type AdjustmentRequest } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AdjustmentsService } from './adjustments.service.js';

@Controller()
export class AdjustmentsMessages {
  constructor(private readonly adjustments: AdjustmentsService) {}

  @MessagePattern(adjust.pattern)
  adjust(@Payload() request: AdjustmentRequest): Promise<AdjustmentReply> {
    return this.adjustments.adjust(request);
  }
}
