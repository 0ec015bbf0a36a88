import { Module } from '@nestjs/common';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { BalanceController } from './balance.controller.js';
import { BalanceService } from './balance.service.js';

/** What an account can spend, for its owner. */
@Module({ imports: [LedgerModule], controllers: [BalanceController], providers: [BalanceService] })
export class BalanceModule {}
