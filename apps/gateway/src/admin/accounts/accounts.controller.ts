import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  createAccount,
  getAccount,
  listAccounts,
  type AccountDetail,
  type AccountView,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { CallContext } from '../call-context.js';
import { namedPage, PageQuery } from '../validation/page.query.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { CreateAccountBody } from './accounts.dto.js';

/** Accounts and their balances. */
@Controller('accounts')
export class AccountsController {
  constructor(private readonly services: ServiceClient) {}

  @Post()
  create(@Body() body: CreateAccountBody, @CallContext() context: RequestContext): Promise<AccountView> {
    return this.services.request(createAccount, body, context);
  }

  @Get()
  async list(
    @Query() page: PageQuery,
    @CallContext() context: RequestContext,
  ): Promise<{ accounts: AccountView[]; next_cursor: string | null }> {
    return namedPage('accounts', await this.services.request(listAccounts, page, context));
  }

  /** One account with its lots, oldest first. */
  @Get(':account_id')
  show(
    @Param('account_id', accountId) id: string,
    @CallContext() context: RequestContext,
  ): Promise<AccountDetail> {
    return this.services.request(getAccount, { account_id: id }, context);
  }
}
