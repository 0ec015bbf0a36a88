import { Body, Controller, Param, Post, Res } from '@nestjs/common';
import { adjust, type AdjustmentReply } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { type FastifyReply } from 'fastify';
import { CallContext } from '../call-context.js';
import { statusOfCreation } from '../status-of-creation.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { AdjustmentBody } from './adjustments.dto.js';

type Adjustment = AdjustmentReply['adjustment'] & { readonly credits_remaining: number };

/** Credits given as goodwill or taken back as a correction. */
@Controller('accounts/:account_id/adjustments')
export class AdjustmentsController {
  constructor(private readonly services: ServiceClient) {}

  /** 201, or 200 with the stored adjustment when the account knows the reference. */
  @Post()
  async adjust(
    @Param('account_id', accountId) account: string,
    @Body() body: AdjustmentBody,
    @CallContext() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Adjustment> {
    const { created, adjustment, credits_remaining } = await this.services.request(
      adjust,
      { account_id: account, ...body },
      context,
    );
    reply.status(statusOfCreation(created));
    return { ...adjustment, credits_remaining };
  }
}
