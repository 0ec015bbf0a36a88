import { adjust, type AdjustmentReply, AdjustmentRequest } from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdjustmentsService } from './adjustments.service.js';

@Controller()
export class AdjustmentsController {
  constructor(private readonly adjustments: AdjustmentsService) {}

  @MessagePattern(adjust.pattern)
  adjust(
    @Payload() request: AdjustmentRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<AdjustmentReply> {
    return this.adjustments.adjust(request, remainingMs);
  }
}
