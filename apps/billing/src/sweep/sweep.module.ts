import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UnusedAccountsStep } from '../accounts/unused-accounts.step.js';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { OldKeysStep } from '../api-keys/old-keys.step.js';
import { AgreementsModule } from '../agreements/agreements.module.js';
import { DueGrantsStep } from '../agreements/due-grants.step.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { OldIdempotencyKeysStep } from '../idempotency/old-idempotency-keys.step.js';
import { InvitationsModule } from '../invitations/invitations.module.js';
import { OldInvitationsStep } from '../invitations/old-invitations.step.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { NewOwnersStep } from '../members/new-owners.step.js';
import { BalanceNoticesStep } from '../notices/checks/balance-notices.step.js';
import { ExpiringLotsStep } from '../notices/checks/expiring-lots.step.js';
import { OldNoticesStep } from '../notices/checks/old-notices.step.js';
import { NoticesModule } from '../notices/notices.module.js';
import { PeopleModule } from '../people/people.module.js';
import { UnusedPeopleStep } from '../people/unused-people.step.js';
import { OldSessionsStep } from '../sessions/old-sessions.step.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OldSignInsStep } from '../sign-in/old-sign-ins.step.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { OldPaymentEventsStep } from '../orders/inbox/old-payment-events.step.js';
import { OldOrdersStep } from '../orders/old-orders.step.js';
import { OrdersModule } from '../orders/orders.module.js';
import { RecoverableCreditsStep } from '../orders/recoverable-credits.step.js';
import { OldFreeCallsStep } from '../usage/old-free-calls.step.js';
import { UsageModule } from '../usage/usage.module.js';
import { ExpiredLotsStep } from './expired-lots.step.js';
import { OldTombstonesStep } from './old-tombstones.step.js';
import { OverdueChargesStep } from './overdue-charges.step.js';
import { RefusedChargesStep } from './refused-charges.step.js';
import { SWEEP_STEPS, type SweepStep } from '../sweep-steps/sweep-step.js';
import { SweepRepository } from './sweep.repository.js';
import { SweepService } from './sweep.service.js';

/** In the order in which they run. */
const steps = [
  OverdueChargesStep,
  RecoverableCreditsStep,
  ExpiredLotsStep,
  DueGrantsStep,
  NewOwnersStep,
  OldTombstonesStep,
  OldIdempotencyKeysStep,
  OldInvitationsStep,
  OldSessionsStep,
  OldSignInsStep,
  RefusedChargesStep,
  BalanceNoticesStep,
  ExpiringLotsStep,
  OldNoticesStep,
  OldOrdersStep,
  OldPaymentEventsStep,
  OldFreeCallsStep,
  // After the charges that name them.
  OldKeysStep,
  // After what refers to them.
  UnusedAccountsStep,
  UnusedPeopleStep,
];

/** Periodically records what time alone has decided. */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    AgreementsModule,
    ApiKeysModule,
    IdempotencyModule,
    InvitationsModule,
    LedgerModule,
    MembersModule,
    OrdersModule,
    NoticesModule,
    PeopleModule,
    SessionsModule,
    SignInModule,
    UsageModule,
  ],
  providers: [
    SweepRepository,
    OverdueChargesStep,
    ExpiredLotsStep,
    OldTombstonesStep,
    RefusedChargesStep,
    { provide: SWEEP_STEPS, useFactory: (...all: SweepStep[]) => all, inject: steps },
    SweepService,
  ],
})
export class SweepModule {}
