import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AdministrationModule } from '../administration/administration.module.js';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { type BillingConfig } from '../config/billing-config.js';
import { CreditsModule } from '../credits/credits.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ReportsPoolModule } from '../reports/common/reports-pool.module.js';
import { ClosingService } from './erasure/closing.service.js';
import { ErasuresController } from './erasure/erasures.controller.js';
import { ErasuresService } from './erasure/erasures.service.js';
import { InvitationsRepository } from './invitations/invitations.repository.js';
import { InvitationsService } from './invitations/invitations.service.js';
import { MailModule } from './mail/mail.module.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { PeopleRecordsModule } from './records/people-records.module.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { EmailChanges } from './sign-in/email-changes.service.js';
import { FirstSignIn } from './sign-in/first-sign-in.js';
import { IdentitySignIn } from './sign-in/identity-sign-in.service.js';
import { OwnAccounts, SIGN_IN_OPTIONS, type SignInOptions } from './sign-in/own-accounts.js';
import { SignInRequests } from './sign-in/sign-in-requests.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';

/** People: how they sign in, their sessions, memberships and invitations, and what operators are asked about them by law. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    AdministrationModule,
    CreditsModule,
    LedgerModule,
    MailModule,
    PeopleRecordsModule,
    ReportsPoolModule,
  ],
  controllers: [ErasuresController, MembersController, SessionsController, SignInController],
  providers: [
    {
      provide: SIGN_IN_OPTIONS,
      inject: [CONFIG],
      useFactory: ({ SIGN_UP, MAIL_URL }: BillingConfig): SignInOptions => ({
        isSignUpOpen: (SIGN_UP ?? (MAIL_URL === undefined ? 'invite' : 'open')) === 'open',
      }),
    },
    ClosingService,
    EmailChanges,
    ErasuresService,
    FirstSignIn,
    IdentitySignIn,
    InvitationsRepository,
    InvitationsService,
    MembersService,
    OwnAccounts,
    SessionsService,
    SignInRequests,
    SignInService,
  ],
})
export class PeopleModule {}
