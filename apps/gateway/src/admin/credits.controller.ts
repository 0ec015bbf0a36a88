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
  AccountPath,
  LotPath,
} from '#contracts';
import { ServiceClient } from '#transport';
import { Body, Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { type FastifyReply } from 'fastify';
import { Call, CurrentCall } from '../requests/call.js';
import { Area, OnlyForAll } from './operators/roles.js';
import { Path } from './parameters.js';

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
    @Path() account: AccountPath,
    @Body() body: PurchaseBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LotView> {
    const { created, lot } = await this.services.request(purchase, { ...account, ...body }, call);
    reply.status(created ? 201 : 200);
    return lot;
  }

  /** At most one agreement of an account is running. */
  @OnlyForAll(true)
  @Post('accounts/:account_id/agreement')
  startAgreement(
    @Path() account: AccountPath,
    @Body() body: AgreementBody,
    @CurrentCall() call: Call,
  ): Promise<AgreementView> {
    return this.services.request(startAgreement, { ...account, ...body }, call);
  }

  /** The running agreement, with the date of its next grant. */
  @Get('accounts/:account_id/agreement')
  showAgreement(@Path() account: AccountPath, @CurrentCall() call: Call): Promise<AgreementView> {
    return this.services.request(getAgreement, account, call);
  }

  /** Ends the agreement; credits already granted stay. */
  @Delete('accounts/:account_id/agreement')
  endAgreement(@Path() account: AccountPath, @CurrentCall() call: Call): Promise<AgreementView> {
    return this.services.request(endAgreement, account, call);
  }

  /** Goodwill or a correction: 201, or 200 with the stored adjustment when the account knows the reference. */
  @Post('accounts/:account_id/adjustments')
  async adjust(
    @Path() account: AccountPath,
    @Body() body: AdjustmentBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Adjustment> {
    const request = { ...account, ...body };
    const { created, adjustment, credits_remaining } = await this.services.request(adjust, request, call);
    reply.status(created ? 201 : 200);
    return { ...adjustment, credits_remaining };
  }

  /** Takes back the rest of one lot: 201, or 200 with the lot when the account knows the reference of the refund. */
  @Post('accounts/:account_id/lots/:lot_id/refund')
  async refundLot(
    @Path() lot: LotPath,
    @Body() body: LotRefundBody,
    @CurrentCall() call: Call,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LotView> {
    const refunded = await this.services.request(refundLot, { ...lot, ...body }, call);
    reply.status(refunded.created ? 201 : 200);
    return refunded.lot;
  }
}
