import { charge, settle, type ChargeReply, ChargeRequest, type SettleReply, SettleRequest } from '#contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { ChargeService } from './charge.service.js';

/** Charges and settlements, requested by the gateway. */
@Controller()
export class ChargeController {
  constructor(private readonly charges: ChargeService) {}

  @MessagePattern(charge.pattern)
  charge(@Payload() request: ChargeRequest): Promise<ChargeReply> {
    return this.charges.charge(request);
  }

  @MessagePattern(settle.pattern)
  settle(@Payload() request: SettleRequest): Promise<SettleReply> {
    return this.charges.settle(request);
  }
}
