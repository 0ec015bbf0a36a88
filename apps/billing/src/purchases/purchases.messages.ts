import { listPacks, type PackView, purchase, type PurchaseReply, type PurchaseRequest } from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { listedPacks } from './packs.js';
import { PurchasesService } from './purchases.service.js';

@Controller()
export class PurchasesMessages {
  constructor(private readonly purchases: PurchasesService) {}

  @MessagePattern(listPacks.pattern)
  packs(): { packs: PackView[] } {
    return { packs: listedPacks() };
  }

  @MessagePattern(purchase.pattern)
  purchase(@Payload() request: PurchaseRequest): Promise<PurchaseReply> {
    return this.purchases.purchase(request);
  }
}
