import { CONFIG } from '@app/platform';
import { Module } from '@nestjs/common';
import { ReportsModule } from '../database/reports.module.js';
import { ChargeController } from './charge.controller.js';
import { ChargeService } from './charge.service.js';
import { defaultLedgerOptions, LEDGER_OPTIONS, type LedgerOptions } from './ledger-options.js';
import { PendingGauges } from './pending-gauges.js';

interface LedgerConfig {
  readonly PENDING_TIMEOUT_MS: number;
  readonly SWEEP_PERIOD_MS: number;
}

/** Charges and settlements, oldest lot first (spec 4). */
@Module({
  imports: [ReportsModule],
  controllers: [ChargeController],
  providers: [
    {
      provide: LEDGER_OPTIONS,
      inject: [CONFIG],
      useFactory: (config: LedgerConfig): LedgerOptions => ({
        ...defaultLedgerOptions,
        pendingTimeoutMs: config.PENDING_TIMEOUT_MS,
        sweepPeriodMs: config.SWEEP_PERIOD_MS,
      }),
    },
    ChargeService,
    PendingGauges,
  ],
  exports: [LEDGER_OPTIONS],
})
export class LedgerModule {}
