import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { AgreementsModule } from '../agreements/agreements.module.js';
import { DueGrantsStep } from '../agreements/due-grants.step.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { OldIdempotencyKeysStep } from '../idempotency/old-idempotency-keys.step.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { NewOwnersStep } from '../members/new-owners.step.js';
import { BalanceNoticesStep } from '../notices/checks/balance-notices.step.js';
import { ExpiringLotsStep } from '../notices/checks/expiring-lots.step.js';
import { OldNoticesStep } from '../notices/checks/old-notices.step.js';
import { NoticesModule } from '../notices/notices.module.js';
import { OldSessionsStep } from '../sessions/old-sessions.step.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OldSignInsStep } from '../sign-in/old-sign-ins.step.js';
import { SignInModule } from '../sign-in/sign-in.module.js';
import { OrdersModule } from '../orders/orders.module.js';
import { RecoverableCreditsStep } from '../orders/recoverable-credits.step.js';
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
  OldSessionsStep,
  OldSignInsStep,
  RefusedChargesStep,
  BalanceNoticesStep,
  ExpiringLotsStep,
  OldNoticesStep,
];

/** Periodically records what time alone has decided. */
@Module({
  imports: [
    AccountTransactionsModule,
    AgreementsModule,
    IdempotencyModule,
    LedgerModule,
    MembersModule,
    OrdersModule,
    NoticesModule,
    SessionsModule,
    SignInModule,
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
