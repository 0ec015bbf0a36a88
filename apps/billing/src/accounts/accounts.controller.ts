import {
  AccountPath,
  type AccountDetail,
  type AccountView,
  createAccount,
  type CreateAccountReply,
  CreateAccountRequest,
  getAccount,
  listAccounts,
  ListAccountsRequest,
  type Page,
  renameAccount,
  RenameAccountRequest,
  resumeAccount,
  suspendAccount,
  SuspendAccountRequest,
  updateAccount,
  UpdateAccountRequest,
} from '#contracts';
import { MessageContext } from '#transport';
import { Controller, UseInterceptors } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ReportsLimit } from '../reports/common/reports-limit.interceptor.js';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @MessagePattern(createAccount.pattern)
  create(
    @Payload() request: CreateAccountRequest,
    @Ctx() context: MessageContext,
  ): Promise<CreateAccountReply> {
    return this.accounts.create(request, context);
  }

  @MessagePattern(listAccounts.pattern)
  @UseInterceptors(ReportsLimit)
  list(@Payload() request: ListAccountsRequest): Promise<Page<AccountView>> {
    return this.accounts.list(request);
  }

  @MessagePattern(getAccount.pattern)
  @UseInterceptors(ReportsLimit)
  show(@Payload() path: AccountPath): Promise<AccountDetail> {
    return this.accounts.show(path);
  }

  @MessagePattern(renameAccount.pattern)
  rename(
    @Payload() request: RenameAccountRequest,
    @Ctx() context: MessageContext,
  ): Promise<{ renamed: true }> {
    return this.accounts.rename(request, context);
  }

  @MessagePattern(updateAccount.pattern)
  update(@Payload() request: UpdateAccountRequest, @Ctx() context: MessageContext): Promise<AccountView> {
    return this.accounts.update(request, context);
  }

  @MessagePattern(suspendAccount.pattern)
  suspend(@Payload() request: SuspendAccountRequest, @Ctx() context: MessageContext): Promise<AccountView> {
    return this.accounts.suspend(request, context);
  }

  @MessagePattern(resumeAccount.pattern)
  resume(@Payload() request: AccountPath, @Ctx() context: MessageContext): Promise<AccountView> {
    return this.accounts.resume(request, context);
  }
}
