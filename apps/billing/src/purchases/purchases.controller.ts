import { listPacks, type PackView, purchase, type PurchaseReply, PurchaseRequest } from '@app/contracts';
import { MessageContext } from '@app/transport';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { listedPacks } from './packs.js';
import { PurchasesService } from './purchases.service.js';

@Controller()
export class PurchasesController {
  constructor(private readonly purchases: PurchasesService) {}

  @MessagePattern(listPacks.pattern)
  packs(): { packs: PackView[] } {
    return { packs: listedPacks() };
  }

  @MessagePattern(purchase.pattern)
  purchase(
    @Payload() request: PurchaseRequest,
    @Ctx() { remainingMs }: MessageContext,
  ): Promise<PurchaseReply> {
    return this.purchases.purchase(request, remainingMs);
  }
}
