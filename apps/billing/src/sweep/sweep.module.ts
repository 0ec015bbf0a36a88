import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { AgreementsModule } from '../agreements/agreements.module.js';
import { DueGrantsStep } from '../agreements/due-grants.step.js';
import { IdempotencyModule } from '../idempotency/idempotency.module.js';
import { OldIdempotencyKeysStep } from '../idempotency/old-idempotency-keys.step.js';
import { LedgerModule } from '../ledger/ledger.module.js';
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
  ExpiredLotsStep,
  DueGrantsStep,
  OldTombstonesStep,
  OldIdempotencyKeysStep,
  RefusedChargesStep,
];

/** Periodically records what time alone has decided. */
@Module({
  imports: [AccountTransactionsModule, AgreementsModule, IdempotencyModule, LedgerModule],
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
