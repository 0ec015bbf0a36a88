import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsService } from './invitations.service.js';
import { OwnMembershipsService } from './own-memberships.service.js';

/** How people become members: owners invite, the invited accept; and accounts that people open for themselves. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    MailModule,
    PeopleModule,
    SessionsModule,
    SignInModule,
  ],
  controllers: [InvitationsController],
  providers: [InvitationsService, OwnMembershipsService],
})
export class InvitationsModule {}
