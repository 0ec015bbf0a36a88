import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../../database/account-transactions.js';
import { LedgerModule } from '../../ledger/ledger.module.js';
import { AccountsModule } from '../accounts.module.js';
import { ApiKeysModule } from '../keys/api-keys.module.js';
import { SuspensionsController } from './suspensions.controller.js';
import { SuspensionsService } from './suspensions.service.js';

/** Operators suspend and resume accounts. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, ApiKeysModule, LedgerModule],
  controllers: [SuspensionsController],
  providers: [SuspensionsService],
})
export class SuspensionsModule {}
