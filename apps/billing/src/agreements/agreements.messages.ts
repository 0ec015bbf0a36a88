import { type AgreementRequest, type AgreementView, endAgreement, startAgreement } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AgreementsService } from './agreements.service.js';

@Controller()
export class AgreementsMessages {
  constructor(private readonly agreements: AgreementsService) {}

  @MessagePattern(startAgreement.pattern)
  start(@Payload() request: AgreementRequest): Promise<AgreementView> {
    return this.agreements.start(request);
  }

  @MessagePattern(endAgreement.pattern)
  end(@Payload() { account_id }: { account_id: string }): Promise<AgreementView> {
    return this.agreements.end(account_id);
  }
}
