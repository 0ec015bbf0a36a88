import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../../database/account-transactions.module.js';
import { MailModule } from '../mail/mail.module.js';
import { PeopleModule } from '../records/people.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { IdentitySignIn } from './identity-sign-in.service.js';
import { OwnAccounts } from './own-accounts.js';
import { SIGN_IN_OPTIONS, type SignInOptions } from './sign-in-options.js';
import { SignInRequests } from './sign-in-requests.js';
import { SignInController } from './sign-in.controller.js';
import { SignIn } from './sign-in.entity.js';
import { SignInService } from './sign-in.service.js';
import { SignInsRepository } from './sign-ins.repository.js';
import { SignUpBounds } from './sign-up-bounds.js';
import { Welcome } from './welcome.js';

interface SignInConfig {
  readonly SIGN_UP?: string;
  readonly MAIL_URL?: string;
}

/** Signing in: by the link or code of a mail, by an operator's link, or with an identity. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    MailModule,
    PeopleModule,
    SessionsModule,
    TypeOrmModule.forFeature([SignIn]),
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
    IdentitySignIn,
    OwnAccounts,
    SignInRequests,
    SignInsRepository,
    SignInService,
    SignUpBounds,
    Welcome,
  ],
  exports: [OwnAccounts],
})
export class SignInModule {}
