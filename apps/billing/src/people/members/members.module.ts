import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ApiKeysModule } from '../../accounts/keys/api-keys.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { NewOwnersStep } from './new-owners.step.js';

/** Who may sign in to an account, and the sweep's step that gives owners to accounts of older replicas. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, ApiKeysModule, PeopleModule, SessionsModule],
  controllers: [MembersController],
  providers: [MembersService, NewOwnersStep],
  exports: [NewOwnersStep],
})
export class MembersModule {}
