import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ApiKeysModule } from '../../accounts/keys/api-keys.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';

/** Who may sign in to an account. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, ApiKeysModule, PeopleModule, SessionsModule],
  controllers: [MembersController],
  providers: [MembersService],
})
export class MembersModule {}
