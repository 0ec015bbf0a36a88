import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInRulesController } from './sign-in-rules.controller.js';
import { SignInRulesService } from './sign-in-rules.service.js';

/** What accounts ask of those who sign in to them, and who may join them. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, PeopleModule, SessionsModule],
  controllers: [SignInRulesController],
  providers: [SignInRulesService],
})
export class SignInRulesModule {}
