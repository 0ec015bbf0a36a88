import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { UnusedAccountsStep } from './accounts/unused-accounts.step.js';
import { CreditsModule } from './credits/credits.module.js';
import { DueGrantsStep } from './credits/due-grants.step.js';
import { AccountTransactionsModule } from './database/account-transactions.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LEDGER_OPTIONS, type LedgerOptions } from './ledger/rules/ledger-options.js';
import { ExpiredLotsStep } from './ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from './ledger/charges/overdue-charges.js';
import { NoticesModule } from './notices/notices.module.js';
import { BalanceNoticesStep, ExpiringLotsStep, KeyLimitsStep } from './notices/notices.step.js';
import { OrdersModule } from './orders/orders.module.js';
import { RecoverableCreditsStep } from './orders/recoverable-credits.step.js';
import { PeopleRecordsModule } from './people/records/people-records.module.js';
import { UnusedPeopleStep } from './people/records/unused-people.step.js';
import { monthStatements, sweepStatements, toStep } from './sweep-statements.js';
import { SWEEP_STEPS, SweepService, type SweepStep } from './schedule/sweep.service.js';

/** In the order in which they run: first what all writes need, then what changes balances and usage. */
const stepsBefore = [OverdueChargesStep, RecoverableCreditsStep, ExpiredLotsStep, DueGrantsStep];
const stepsAfter = [
  BalanceNoticesStep,
  ExpiringLotsStep,
  KeyLimitsStep,
  // After what refers to them.
  UnusedAccountsStep,
  UnusedPeopleStep,
];

/**
 * Periodically does the work that falls due by time. Three nouns have a periodic task of their own: `DeliveryWorker` sends
 * notices, `PaymentEventsService` handles events of Stripe, `ReconciliationService` asks Stripe about orders without an event.
 */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    CreditsModule,
    LedgerModule,
    NoticesModule,
    OrdersModule,
    PeopleRecordsModule,
  ],
  providers: [
    {
      provide: SWEEP_STEPS,
      inject: [TransactionRunner, ...stepsBefore, ...stepsAfter],
      useFactory: (database: TransactionRunner, ...steps: SweepStep[]): SweepStep[] => [
        ...monthStatements.map((statement) => toStep(database, statement)),
        ...steps.slice(0, stepsBefore.length),
        ...sweepStatements.map((statement) => toStep(database, statement)),
        ...steps.slice(stepsBefore.length),
      ],
    },
    SweepService,
    {
      provide: PeriodicTask,
      inject: [SweepService, LEDGER_OPTIONS, LOGGER],
      useFactory: (sweep: SweepService, { sweepPeriodMs }: LedgerOptions, logger: Logger) =>
        new PeriodicTask({
          run: (signal) => sweep.run(signal),
          intervalMs: sweepPeriodMs,
          problem: 'The sweep failed.',
          logger,
        }),
    },
  ],
})
export class SweepModule {}
