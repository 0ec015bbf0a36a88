import {
  adjust,
  type AdjustmentReply,
  AdjustmentRequest,
  refundLot,
  type RefundLotReply,
  RefundLotRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdjustmentsService } from './adjustments.service.js';
import { LotRefundsService } from './lot-refunds.service.js';

@Controller()
export class CreditsController {
  constructor(
    private readonly adjustments: AdjustmentsService,
    private readonly lotRefunds: LotRefundsService,
  ) {}

  @MessagePattern(adjust.pattern)
  adjust(@Payload() request: AdjustmentRequest, @Ctx() context: MessageContext): Promise<AdjustmentReply> {
    return this.adjustments.adjust(request, context);
  }

  @MessagePattern(refundLot.pattern)
  refundLot(@Payload() request: RefundLotRequest, @Ctx() context: MessageContext): Promise<RefundLotReply> {
    return this.lotRefunds.refund(request, context);
  }
}
