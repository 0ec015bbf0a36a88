import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { MailModule } from '../mail/mail.module.js';
import { PeopleModule } from '../records/people.module.js';
import { InvitationsController } from './invitations.controller.js';
import { InvitationsRepository } from './invitations.repository.js';
import { InvitationsService } from './invitations.service.js';

/** Invitations to accounts, which owners send and revoke. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, MailModule, PeopleModule],
  controllers: [InvitationsController],
  providers: [InvitationsRepository, InvitationsService],
  exports: [InvitationsRepository],
})
export class InvitationsModule {}
