import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { MailModule } from '../mail/mail.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { FirstSignIn } from './first-sign-in.js';
import { IdentitiesRepository } from './identities.repository.js';
import { IdentitySignIn } from './identity-sign-in.service.js';
import { OwnAccounts, SIGN_IN_OPTIONS, type SignInOptions } from './own-accounts.js';
import { SignInRequests } from './sign-in-requests.js';
import { SignInController } from './sign-in.controller.js';
import { SignInService } from './sign-in.service.js';
import { SignInsRepository } from './sign-ins.repository.js';

interface SignInConfig {
  readonly SIGN_UP?: string;
  readonly MAIL_URL?: string;
}

/** Sign-in by the link or code of a mail, by an operator's link or with an identity. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    InvitationsModule,
    MailModule,
    PeopleModule,
    SessionsModule,
  ],
  controllers: [SignInController],
  providers: [
    {
      provide: SIGN_IN_OPTIONS,
      inject: [CONFIG],
      useFactory: ({ SIGN_UP, MAIL_URL }: SignInConfig): SignInOptions => ({
        isSignUpOpen: (SIGN_UP ?? (MAIL_URL === undefined ? 'invite' : 'open')) === 'open',
      }),
    },
    FirstSignIn,
    IdentitiesRepository,
    IdentitySignIn,
    OwnAccounts,
    SignInRequests,
    SignInService,
    SignInsRepository,
  ],
  exports: [OwnAccounts],
})
export class SignInModule {}
