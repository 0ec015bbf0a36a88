import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { ApiKeysModule } from '../../accounts/keys/api-keys.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { OwnMembershipsService } from './own-memberships.service.js';

/** Members of accounts, as owners manage them and as people join and leave. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    ApiKeysModule,
    InvitationsModule,
    PeopleModule,
    SessionsModule,
    SignInModule,
  ],
  controllers: [MembersController],
  providers: [MembersService, OwnMembershipsService],
})
export class MembersModule {}
