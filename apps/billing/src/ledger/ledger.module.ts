import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { type BillingConfig } from '../config/billing-config.js';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { IdempotencyKeysRepository } from './idempotency/idempotency-keys.repository.js';
import { BalanceRepository } from './lots/balance.repository.js';
import { ChargeRepository } from './charges/charge.repository.js';
import { ChargeController } from './charges/charge.controller.js';
import { defaultLedgerOptions, LEDGER_OPTIONS, type LedgerOptions } from './rules/ledger-options.js';
import { ExpiredLotsStep } from './lots/expired-lots.step.js';
import { LedgerTransactions } from './charges/ledger-transactions.js';
import { LotViewsRepository } from './lots/lot-views.repository.js';
import { LotsRepository } from './lots/lots.repository.js';
import { OverdueCharges, OverdueChargesStep } from './charges/overdue-charges.js';

/** The parts of the ledger that other modules use in their own transactions. */
const shared = [
  BalanceRepository,
  IdempotencyKeysRepository,
  LotViewsRepository,
  LotsRepository,
  OverdueCharges,
];

const sweepSteps = [ExpiredLotsStep, OverdueChargesStep];

/** Lots, their entries and balances; charges and settlements, oldest lot first. */
@Module({
  imports: [AccountTransactionsModule],
  controllers: [ChargeController],
  providers: [
    {
      provide: LEDGER_OPTIONS,
      inject: [CONFIG],
      useFactory: (config: BillingConfig): LedgerOptions => ({
        ...defaultLedgerOptions,
        pendingTimeoutMs: config.PENDING_TIMEOUT_MS,
        sweepPeriodMs: config.SWEEP_PERIOD_MS,
        archiveDirectory: config.LEDGER_ARCHIVE_DIRECTORY,
        onlineMonths: config.LEDGER_ONLINE_MONTHS,
      }),
    },
    ...shared,
    ...sweepSteps,
    ChargeRepository,
    LedgerTransactions,
  ],
  exports: [LEDGER_OPTIONS, ...shared, ...sweepSteps],
})
export class LedgerModule {}
