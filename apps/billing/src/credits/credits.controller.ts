import {
  AccountPath,
  adjust,
  type AdjustmentReply,
  AdjustmentRequest,
  AgreementRequest,
  type AgreementView,
  endAgreement,
  getAgreement,
  listPacks,
  type PackView,
  purchase,
  type PurchaseReply,
  PurchaseRequest,
  refundLot,
  type RefundLotReply,
  RefundLotRequest,
  startAgreement,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { AdjustmentsService } from './adjustments.service.js';
import { AgreementsService } from './agreements.service.js';
import { listedPacks } from './packs.js';
import { LotRefundsService } from './lot-refunds.service.js';
import { PurchasesService } from './purchases.service.js';

@Controller()
export class CreditsController {
  constructor(
    private readonly purchases: PurchasesService,
    private readonly agreements: AgreementsService,
    private readonly adjustments: AdjustmentsService,
    private readonly lotRefunds: LotRefundsService,
  ) {}

  @MessagePattern(listPacks.pattern)
  packs(): { packs: PackView[] } {
    return { packs: listedPacks() };
  }

  @MessagePattern(purchase.pattern)
  purchase(@Payload() request: PurchaseRequest, @Ctx() context: MessageContext): Promise<PurchaseReply> {
    return this.purchases.purchase(request, context);
  }

  @MessagePattern(startAgreement.pattern)
  startAgreement(
    @Payload() request: AgreementRequest,
    @Ctx() context: MessageContext,
  ): Promise<AgreementView> {
    return this.agreements.start(request, context);
  }

  @MessagePattern(getAgreement.pattern)
  showAgreement(@Payload() path: AccountPath): Promise<AgreementView> {
    return this.agreements.show(path);
  }

  @MessagePattern(endAgreement.pattern)
  endAgreement(@Payload() path: AccountPath, @Ctx() context: MessageContext): Promise<AgreementView> {
    return this.agreements.end(path, context);
  }

  @MessagePattern(adjust.pattern)
  adjust(@Payload() request: AdjustmentRequest, @Ctx() context: MessageContext): Promise<AdjustmentReply> {
    return this.adjustments.adjust(request, context);
  }

  @MessagePattern(refundLot.pattern)
  refundLot(@Payload() request: RefundLotRequest, @Ctx() context: MessageContext): Promise<RefundLotReply> {
    return this.lotRefunds.refund(request, context);
  }
}
