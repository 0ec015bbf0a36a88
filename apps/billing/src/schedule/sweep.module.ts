import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { UnusedAccountsStep } from '../accounts/unused-accounts.step.js';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { ApiKeysModule } from '../accounts/keys/api-keys.module.js';
import { OldKeysStep } from '../accounts/keys/old-keys.step.js';
import { CreditsModule } from '../credits/credits.module.js';
import { DueGrantsStep } from '../credits/due-grants.step.js';
import { IdempotencyModule } from '../ledger/idempotency/idempotency.module.js';
import { OldIdempotencyKeysStep } from '../ledger/idempotency/old-idempotency-keys.step.js';
import { InvitationsModule } from '../people/invitations/invitations.module.js';
import { OldInvitationsStep } from '../people/invitations/old-invitations.step.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../people/members/members.module.js';
import { NewOwnersStep } from '../people/members/new-owners.step.js';
import { BalanceNoticesStep } from '../notices/balance-notices.step.js';
import { ExpiringLotsStep } from '../notices/expiring-lots.step.js';
import { OldNoticesStep } from '../notices/old-notices.step.js';
import { NoticesModule } from '../notices/notices.module.js';
import { PeopleModule } from '../people/records/people.module.js';
import { UnusedPeopleStep } from '../people/records/unused-people.step.js';
import { OldSessionsStep } from '../people/sessions/old-sessions.step.js';
import { SessionsModule } from '../people/sessions/sessions.module.js';
import { OldSignInsStep } from '../people/sign-in/old-sign-ins.step.js';
import { SignInModule } from '../people/sign-in/sign-in.module.js';
import { OldOrdersStep, OldPaymentEventsStep } from '../orders/old-orders.step.js';
import { OrdersModule } from '../orders/orders.module.js';
import { RecoverableCreditsStep } from '../orders/recoverable-credits.step.js';
import { OldFreeCallsStep } from '../reports/usage/old-free-calls.step.js';
import { UsageModule } from '../reports/usage/usage.module.js';
import { ExpiredLotsStep } from '../ledger/sweep/expired-lots.step.js';
import { OldTombstonesStep } from '../ledger/sweep/old-tombstones.step.js';
import { OverdueChargesStep } from '../ledger/sweep/overdue-charges.step.js';
import { RefusedChargesStep } from '../ledger/sweep/refused-charges.step.js';
import { SWEEP_STEPS, type SweepStep } from './tasks/sweep-step.js';
import { SweepRepository } from '../ledger/sweep/sweep.repository.js';
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
    ApiKeysModule,
    CreditsModule,
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
