import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import {
  createAccount,
  getAccount,
  listAccounts,
  type AccountDetail,
  type AccountView,
} from '@app/contracts';
import { ServiceClient, type RequestContext } from '@app/transport';
import { type FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { CallContext } from '../call-context.js';
import { IdempotencyKey } from '../idempotency-key.js';
import { statusOfCreation } from '../status-of-creation.js';
import { namedPage, PageQuery } from '../validation/page.query.js';
import { accountId } from '../validation/resource-id.pipe.js';
import { CreateAccountBody } from './accounts.dto.js';

/** Accounts and their balances. */
@Controller('accounts')
export class AccountsController {
  constructor(private readonly services: ServiceClient) {}

  /** 201 with the new account; 200 with the one that this Idempotency-Key created before. */
  @Post()
  async create(
    @Body() { name, email }: CreateAccountBody,
    @IdempotencyKey() idempotencyKey: string,
    @CallContext() context: RequestContext,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountView> {
    const request = { account_id: uuidv7(), name, email, idempotency_key: idempotencyKey };
    const { created, account } = await this.services.request(createAccount, request, context);
    reply.status(statusOfCreation(created));
    return account;
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
