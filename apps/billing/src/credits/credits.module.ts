import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AccountTransactionsModule } from '../database/account-transactions.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { NoticesModule } from '../notices/notices.module.js';
import { AdjustmentsService } from './adjustments.service.js';
import { AgreementsService } from './agreements.service.js';
import { CreditsController } from './credits.controller.js';
import { DueGrantsStep } from './due-grants.step.js';
import { LotRefundsService } from './lot-refunds.service.js';
import { PurchasesService } from './purchases.service.js';

/** How accounts get credits: purchases of packs, monthly Enterprise grants, goodwill and corrections; and how lots are refunded. */
@Module({
  imports: [AccountsModule, AccountTransactionsModule, LedgerModule, NoticesModule],
  controllers: [CreditsController],
  providers: [AdjustmentsService, AgreementsService, DueGrantsStep, LotRefundsService, PurchasesService],
  exports: [AdjustmentsService, DueGrantsStep, LotRefundsService],
})
export class CreditsModule {}
