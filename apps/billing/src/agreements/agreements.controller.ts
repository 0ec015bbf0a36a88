import {
  AccountPath,
  AgreementRequest,
  type AgreementView,
  endAgreement,
  startAgreement,
} from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AgreementsService } from './agreements.service.js';

@Controller()
export class AgreementsController {
  constructor(private readonly agreements: AgreementsService) {}

  @MessagePattern(startAgreement.pattern)
  start(
    @Payload() request: AgreementRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<AgreementView> {
    return this.agreements.start(request, remainingMs);
  }

  @MessagePattern(endAgreement.pattern)
  end(
    @Payload() { account_id }: AccountPath,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<AgreementView> {
    return this.agreements.end(account_id, remainingMs);
  }
}
