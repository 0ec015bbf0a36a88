import {
  type AccountDetail,
  type AccountView,
  createAccount,
  type CreateAccountRequest,
  getAccount,
  listAccounts,
  type Page,
  type PageRequest,
} from '@app/contracts';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { AccountsService } from './accounts.service.js';

@Controller()
export class AccountsMessages {
  constructor(private readonly accounts: AccountsService) {}

  @MessagePattern(createAccount.pattern)
  create(@Payload() request: CreateAccountRequest): Promise<AccountView> {
    return this.accounts.create(request);
  }

  @MessagePattern(listAccounts.pattern)
  list(@Payload() request: PageRequest): Promise<Page<AccountView>> {
    return this.accounts.list(request);
  }

  @MessagePattern(getAccount.pattern)
  show(@Payload() { account_id }: { account_id: string }): Promise<AccountDetail> {
    return this.accounts.show(account_id);
  }
}
