import { Body, Controller, Get, Param, Post, Res } from '@nestjs/common';
import { listPacks, purchase, type LotView, type PackView } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { type FastifyReply } from 'fastify';
import { CallContext } from '../call-context.js';
import { statusOfCreation } from '../status-of-creation.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { PurchaseBody } from './purchases.dto.js';

/** Packs on sale and their purchase. */
@Controller()
export class PurchasesController {
  constructor(private readonly services: ServiceClient) {}

  @Get('packs')
  packs(@CallContext() context: RequestContext): Promise<{ packs: PackView[] }> {
    return this.services.request(listPacks, {}, context);
  }

  /** 201 with the new lot; 200 with the stored one when the account knows the reference. */
  @Post('accounts/:account_id/purchases')
  async purchase(
    @Param('account_id', accountId) account: string,
    @Body() body: PurchaseBody,
    @CallContext() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LotView> {
    const { created, lot } = await this.services.request(purchase, { account_id: account, ...body }, context);
    reply.status(statusOfCreation(created));
    return lot;
  }
}
