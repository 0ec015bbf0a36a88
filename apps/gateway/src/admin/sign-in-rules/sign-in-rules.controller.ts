import { getSignInRules, setSignInRules, type SignInRules } from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { Body, Controller, Get, Param, Patch } from '@nestjs/common';
import { CallContext } from '../call-context.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { SignInRulesBody } from './sign-in-rules.dto.js';

/** What an account asks of those who sign in to it, and the domains whose people may join it. */
@Controller('accounts/:account_id/sign-in-rules')
export class SignInRulesController {
  constructor(private readonly services: ServiceClient) {}

  @Get()
  show(
    @Param('account_id', accountId) account: string,
    @CallContext() context: RequestContext,
  ): Promise<SignInRules> {
    return this.services.request(getSignInRules, { account_id: account }, context);
  }

  /** The rules as they are then. It counts from the next page of every session on. */
  @Patch()
  change(
    @Param('account_id', accountId) account: string,
    @Body() body: SignInRulesBody,
    @CallContext() context: RequestContext,
  ): Promise<SignInRules> {
    return this.services.request(setSignInRules, { account_id: account, ...body }, context);
  }
}
