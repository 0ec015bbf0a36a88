import { Module } from '@nestjs/common';
import { AccountTransactionsModule } from '../database/account-transactions.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { CreditLimit } from './credit-limit.js';
import { PurchasesController } from './purchases.controller.js';
import { PurchasesService } from './purchases.service.js';

/** The price list, and purchases of packs. */
@Module({
  imports: [AccountTransactionsModule, LedgerModule],
  controllers: [PurchasesController],
  providers: [CreditLimit, PurchasesService],
  exports: [CreditLimit],
})
export class PurchasesModule {}
