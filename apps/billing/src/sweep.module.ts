import { LOGGER, type Logger, PeriodicTask } from '#platform';
import { TransactionRunner } from '#platform/database';
import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeysModule } from './accounts/keys/api-keys.module.js';
import { OldKeysStep } from './accounts/keys/old-keys.step.js';
import { SignUpNetworksStep } from './accounts/sign-up-networks.step.js';
import { UnusedAccountsStep } from './accounts/unused-accounts.step.js';
import { CreditsModule } from './credits/credits.module.js';
import { DueGrantsStep } from './credits/due-grants.step.js';
import { AccountTransactionsModule } from './database/account-transactions.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LEDGER_OPTIONS, type LedgerOptions } from './ledger/rules/ledger-options.js';
import { LedgerMonthsStep } from './ledger/months/ledger-months.step.js';
import { ExpiredLotsStep } from './ledger/lots/expired-lots.step.js';
import { OverdueChargesStep } from './ledger/charges/overdue-charges.step.js';
import { BalanceNoticesStep } from './notices/balance-notices.step.js';
import { ExpiringLotsStep } from './notices/expiring-lots.step.js';
import { KeyLimitsStep } from './notices/key-limits.step.js';
import { NoticesModule } from './notices/notices.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { RecoverableCreditsStep } from './orders/recoverable-credits.step.js';
import { invitationForMs } from './people/invitations/invitations.repository.js';
import { PeopleModule } from './people/records/people.module.js';
import { UnusedPeopleStep } from './people/records/unused-people.step.js';
import { keptForMs as signInKeptForMs } from './people/sign-in/sign-ins.repository.js';
import { OldFreeCallsStep } from './reports/usage/old-free-calls.step.js';
import { ReportsModule } from './reports/reports.module.js';
import { type OldRows, OldRowsStep } from './schedule/old-rows.step.js';
import { SWEEP_STEPS, SweepService, type SweepStep } from './schedule/sweep.service.js';

const dayMs = 24 * 3_600_000;

/** Rows that are deleted at an age. Each column has an index. */
export const oldRows: readonly OldRows[] = [
  // The charge of a tombstone can no longer arrive: a message lives for seconds.
  {
    name: 'old tombstones',
    table: 'charge_tombstones',
    key: 'charge_id',
    column: 'created_at',
    ageMs: dayMs,
  },
  // They took no credits. Each is kept for 60 s: its message may arrive twice within 5 s and must get the same answer.
  {
    name: 'refused charges',
    table: 'charges',
    key: 'id, created_at',
    column: 'created_at',
    ageMs: 60_000,
    where: "state = 'refused'",
  },
  // Counted from the last answer to their caller.
  {
    name: 'old idempotency keys',
    table: 'idempotency_keys',
    key: 'scope, key_hash',
    column: 'answered_at',
    ageMs: dayMs,
  },
  // They have expired, and no longer count towards a limit.
  {
    name: 'old invitations',
    table: 'invitations',
    key: 'id',
    column: 'created_at',
    ageMs: invitationForMs,
  },
  { name: 'old sessions', table: 'sessions', key: 'id', column: 'expires_at', ageMs: dayMs },
  // They ended long before, and no longer count towards the limits of their address.
  { name: 'old sign-ins', table: 'sign_ins', key: 'id', column: 'created_at', ageMs: signInKeptForMs },
  // The same notice can no longer be due. Its deliveries are deleted with it.
  { name: 'old notices', table: 'notices', key: 'id', column: 'created_at', ageMs: 90 * dayMs },
  // They can no longer be paid.
  {
    name: 'old orders',
    table: 'orders',
    key: 'id',
    column: 'ordered_at',
    ageMs: 90 * dayMs,
    where: "state IN ('expired', 'failed')",
  },
  { name: 'old audits', table: 'audits', key: 'id', column: 'ended_at', ageMs: 90 * dayMs },
  // Stripe neither sends nor lists them any longer.
  {
    name: 'old payment events',
    table: 'payment_events',
    key: 'id',
    column: 'ended_at',
    ageMs: 30 * dayMs,
  },
  // No order that was granted before can be refunded by its buyer any longer. A day begins at midnight UTC.
  {
    name: 'old counts of abandoned calls',
    table: 'abandoned_calls',
    key: 'account_id, day',
    column: 'day',
    ageMs: 7 * dayMs,
  },
  // No report shows more than the last 366 days. A day begins at midnight UTC.
  {
    name: 'old counts of free calls',
    table: 'free_calls',
    key: 'account_id, day, key_id, operation',
    column: 'day',
    ageMs: 401 * dayMs,
  },
];

/** In the order in which they run: first what all writes need, then what changes balances and usage. */
const stepsBeforeOldRows = [
  LedgerMonthsStep,
  OverdueChargesStep,
  RecoverableCreditsStep,
  ExpiredLotsStep,
  DueGrantsStep,
  OldFreeCallsStep,
];
const stepsAfterOldRows = [
  BalanceNoticesStep,
  ExpiringLotsStep,
  KeyLimitsStep,
  // After the charges that name them.
  OldKeysStep,
  // After what refers to them.
  UnusedAccountsStep,
  UnusedPeopleStep,
  SignUpNetworksStep,
];

/**
 * Periodically does the work that falls due by time. Three nouns have a periodic task of their own: `DeliveryWorker` sends
 * notices, `EventWorker` handles events of Stripe, `ReconciliationService` asks Stripe about orders without an event.
 */
@Module({
  imports: [
    AccountsModule,
    AccountTransactionsModule,
    ApiKeysModule,
    CreditsModule,
    LedgerModule,
    NoticesModule,
    OrdersModule,
    PeopleModule,
    ReportsModule,
  ],
  providers: [
    {
      provide: SWEEP_STEPS,
      inject: [TransactionRunner, ...stepsBeforeOldRows, ...stepsAfterOldRows],
      useFactory: (database: TransactionRunner, ...steps: SweepStep[]): SweepStep[] => [
        ...steps.slice(0, stepsBeforeOldRows.length),
        ...oldRows.map((rows) => new OldRowsStep(database, rows)),
        ...steps.slice(stepsBeforeOldRows.length),
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
