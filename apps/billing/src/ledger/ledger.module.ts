import { CONFIG } from '#platform';
import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { ReportsPoolModule } from '../reports/common/reports-pool.module.js';
import { IdempotencyKeysRepository } from './idempotency/idempotency-keys.repository.js';
import { BalanceRepository } from './lots/balance.repository.js';
import { ChargeController } from './charges/charge.controller.js';
import { ChargeRepository } from './charges/charge.repository.js';
import { ChargeService } from './charges/charge.service.js';
import { EntriesRepository } from './lots/entries.repository.js';
import { defaultLedgerOptions, LEDGER_OPTIONS, type LedgerOptions } from './rules/ledger-options.js';
import { OverdueChargesStep } from './charges/overdue-charges.step.js';
import { ExpiredLotsStep } from './lots/expired-lots.step.js';
import { LedgerTransactions } from './charges/ledger-transactions.js';
import { LotViewsRepository } from './lots/lot-views.repository.js';
import { LotsRepository } from './lots/lots.repository.js';
import { OverdueCharges } from './charges/overdue-charges.js';
import { LedgerMonthsStep } from './months/ledger-months.step.js';
import { LedgerGauges } from './ledger-gauges.js';

interface LedgerConfig {
  readonly PENDING_TIMEOUT_MS: number;
  readonly SWEEP_PERIOD_MS: number;
  readonly LEDGER_ARCHIVE_DIRECTORY: string;
  readonly LEDGER_ONLINE_MONTHS: number;
}

/** The parts of the ledger that other modules use in their own transactions. */
const shared = [
  BalanceRepository,
  EntriesRepository,
  IdempotencyKeysRepository,
  LotViewsRepository,
  LotsRepository,
  OverdueCharges,
];

const sweepSteps = [ExpiredLotsStep, LedgerMonthsStep, OverdueChargesStep];

/** Lots, their entries and balances; charges and settlements, oldest lot first. */
@Module({
  imports: [AccountTransactionsModule, ReportsPoolModule],
  controllers: [ChargeController],
  providers: [
    {
      provide: LEDGER_OPTIONS,
      inject: [CONFIG],
      useFactory: (config: LedgerConfig): LedgerOptions => ({
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
    ChargeService,
    LedgerGauges,
  ],
  exports: [LEDGER_OPTIONS, ...shared, ...sweepSteps],
})
export class LedgerModule {}
