import {
  adjust,
  AdjustmentBody,
  type AdjustmentReply,
  AgreementBody,
  type AgreementView,
  endAgreement,
  getAgreement,
  listPacks,
  LotRefundBody,
  type LotView,
  type PackView,
  purchase,
  PurchaseBody,
  refundLot,
  startAgreement,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Call, CurrentCall } from '../requests/call.js';
import { Area, OnlyForAll } from './operators/roles.js';
import { AccountId, LotId } from './parameters.js';

type Adjustment = AdjustmentReply['adjustment'] & { readonly credits_remaining: number };

/** How accounts get credits: packs, the monthly grant of an Enterprise agreement, goodwill and corrections; and refunds of lots. */
@Area('accounts')
@Controller()
export class CreditsController {
  constructor(private readonly services: ServiceClient) {}

  @Get('packs')
  packs(@CurrentCall() call: Call): Promise<{ packs: PackView[] }> {
    return this.services.request(listPacks, {}, call);
  }

  /** 201 with the new lot; 200 with the stored one when the account knows the reference. */
  @OnlyForAll(true)
  @Post('accounts/:account_id/purchases')
  async purchase(
    @AccountId() account_id: string,
    @Body() body: PurchaseBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LotView> {
    const { created, lot } = await this.services.request(purchase, { account_id, ...body }, call);
    reply.status(created ? 201 : 200);
    return lot;
  }

  /** At most one agreement of an account is running. */
  @OnlyForAll(true)
  @Post('accounts/:account_id/agreement')
  startAgreement(
    @AccountId() account_id: string,
    @Body() body: AgreementBody,
    @CurrentCall() call: Call,
  ): Promise<AgreementView> {
    return this.services.request(startAgreement, { account_id, ...body }, call);
  }

  /** The running agreement, with the date of its next grant. */
  @Get('accounts/:account_id/agreement')
  showAgreement(@AccountId() account_id: string, @CurrentCall() call: Call): Promise<AgreementView> {
    return this.services.request(getAgreement, { account_id }, call);
  }

  /** Ends the agreement; credits already granted stay. */
  @Delete('accounts/:account_id/agreement')
  endAgreement(@AccountId() account_id: string, @CurrentCall() call: Call): Promise<AgreementView> {
    return this.services.request(endAgreement, { account_id }, call);
  }

  /** Goodwill or a correction: 201, or 200 with the stored adjustment when the account knows the reference. */
  @Post('accounts/:account_id/adjustments')
  async adjust(
    @AccountId() account_id: string,
    @Body() body: AdjustmentBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Adjustment> {
    const request = { account_id, ...body };
    const { created, adjustment, credits_remaining } = await this.services.request(adjust, request, call);
    reply.status(created ? 201 : 200);
    return { ...adjustment, credits_remaining };
  }

  /** Takes back the rest of one lot: 201, or 200 with the lot when the account knows the reference of the refund. */
  @Post('accounts/:account_id/lots/:lot_id/refund')
  async refundLot(
    @AccountId() account_id: string,
    @LotId() lot_id: string,
    @Body() body: LotRefundBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LotView> {
    const { created, lot } = await this.services.request(refundLot, { account_id, lot_id, ...body }, call);
    reply.status(created ? 201 : 200);
    return lot;
  }
}
