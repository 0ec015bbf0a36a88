import { Body, Controller, Delete, Param, Post } from '@nestjs/common';
import { endAgreement, startAgreement, type AgreementView } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { CallContext } from '../call-context.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { AgreementBody } from './agreements.dto.js';

/** The monthly Enterprise grant of an account: at most one running agreement. */
@Controller('accounts/:account_id/agreement')
export class AgreementsController {
  constructor(private readonly services: ServiceClient) {}

  @Post()
  start(
    @Param('account_id', accountId) account: string,
    @Body() body: AgreementBody,
    @CallContext() context: RequestContext,
  ): Promise<AgreementView> {
    return this.services.request(startAgreement, { account_id: account, ...body }, context);
  }

  /** Ends the agreement; credits already granted stay. */
  @Delete()
  end(
    @Param('account_id', accountId) account: string,
    @CallContext() context: RequestContext,
  ): Promise<AgreementView> {
    return this.services.request(endAgreement, { account_id: account }, context);
  }
}
